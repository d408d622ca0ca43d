//! What goes over the wire: questions, answers and error codes, shared by server and page.
//!
//! One noun a file. Money travels as a decimal string of yuan with its currency beside it ([`Yuan`]), times as
//! RFC 3339 strings with offset, days as `YYYY-MM-DD` in the ledger zone, ranges half-open. Unknown is `null`, never 0.
//! Why a row was refused travels as a code with its arguments ([`Reason`]), which both ends put into words.

pub mod error;
pub mod health;
pub mod imports;
pub mod language;
pub mod money;
pub mod overview;
pub mod query;
pub mod reason;
pub mod session;
pub mod waste;

pub use error::{ErrorCode, Problem};
pub use language::Language;
pub use money::Yuan;
pub use reason::Reason;
