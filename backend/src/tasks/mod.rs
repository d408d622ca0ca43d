//! What happens unasked: rolling up and accounting.

pub mod roll_up;
