//! What happens unasked: rolling up and accounting; and how the data is.

pub mod account;
pub mod health;
pub mod roll_up;
