//! Figures as pure functions, and the one door to plotly.js.

pub mod cost_over_time;
pub mod payers;
pub mod plot;
pub mod sparkline;
pub mod where_went;
