//! Turns plans and frames into a scene (data, hit test, ticks, viewport) and draws it. Knows plan, simulate, plotters.
