//! A page a file.

pub mod health;
pub mod imports;
pub mod keys;
pub mod overview;
pub mod sign_in;
pub mod waste;
