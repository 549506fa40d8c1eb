//! Turns a `Program`, its plans and a step into a `Frame`: who owns each byte, who is born, read, written, dies. Knows runtime and plan.
