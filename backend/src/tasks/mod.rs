//! What happens unasked: rolling up and accounting.
