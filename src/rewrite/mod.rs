//! Turns model bytes and a plan or an order into a new model. Knows model, plan, schedule.
