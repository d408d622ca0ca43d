//! The accounts of AI compute: facts and rules in, books out. Pure: no I/O, no clock, no randomness, no float in money.
//!
//! Read [`ledger`] first: it is what the product is about. [`facts`] is what goes in, [`books`] what comes out,
//! [`activity`] decides what a device-minute was used for, [`audit`] proves the sums another way. The rules and their numbers stand in docs/accounting.md.

#![deny(clippy::float_arithmetic)]

pub mod activity;
pub mod allocate;
pub mod audit;
pub mod books;
pub mod category;
pub mod counter;
pub mod depreciation;
pub mod efficiency;
pub mod energy;
pub mod facts;
pub mod ids;
pub mod ledger;
pub mod minutes;
pub mod money;
pub mod quantity;
pub mod split;
pub mod tariff;
pub mod time;
