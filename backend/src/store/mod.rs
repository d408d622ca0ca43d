//! Facts and books to and from PostgreSQL: the only place with SQL.
//!
//! Every read that returns figures takes a [`scope::Scope`].

pub mod error;
pub mod pool;
pub mod rows;
pub mod scope;

pub use error::StoreError;
