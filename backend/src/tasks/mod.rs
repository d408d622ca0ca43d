//! What happens unasked: rolling up and accounting.

pub mod account;
pub mod roll_up;
