//! Integration tests on a real PostgreSQL: one binary, one noun a file, one database a test.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests may"
)]

mod books;
mod embedded;
mod facts;
mod languages;
mod schema;
mod serve;
mod support;
