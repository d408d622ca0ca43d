//! The hands: facts in, books out, shown. The rooms stand in the data's order (ARCHITECTURE.md).

pub mod app;
pub mod clock;
pub mod command;
pub mod config;
pub mod embedded;
pub mod facts;
pub mod language;
pub mod password;
pub mod report;
pub mod serve;
pub mod store;
pub mod tasks;
