//! Facts and books to and from PostgreSQL: the only place with SQL.
//!
//! Every read that returns figures takes a [`scope::Scope`].

pub mod books;
pub mod bulk;
pub mod copy;
pub mod dirty;
pub mod error;
pub mod health;
pub mod imports;
pub mod instants;
pub mod links;
pub mod load;
pub mod pool;
pub mod query;
pub mod rows;
pub mod samples;
pub mod scope;
pub mod sessions;
pub mod settings;
pub mod staged;
pub mod users;
pub mod words;
pub mod written;

pub use error::StoreError;
