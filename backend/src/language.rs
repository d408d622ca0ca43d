//! Errors in both languages: what the command line says when something fails.
//!
//! An error's `Display` is its English, for the log and for whoever reads English; its Chinese stands beside it. Both
//! say what and where, then what to do behind the first `; ` (in Chinese `；`). What PostgreSQL or the system says
//! keeps its own words, as the cause.

use std::error::Error;
use std::io;

use api::Language;

use crate::store::query::BooksReadError;
use crate::store::query::question::QuestionError;

/// An error that can be told in both languages.
pub trait Bilingual: Error {
    /// What its `Display` says, in Chinese.
    fn chinese(&self) -> String;

    fn text(&self, language: Language) -> String {
        match language {
            Language::Chinese => self.chinese(),
            Language::English => self.to_string(),
        }
    }
}

/// Errors that others wrote.
macro_rules! own_words {
    ($($error:ty),+ $(,)?) => {
        $(impl Bilingual for $error {
            fn chinese(&self) -> String {
                self.to_string()
            }
        })+
    };
}

own_words!(io::Error, rustix::io::Errno, serde_json::Error);

impl Bilingual for sqlx::Error {
    fn chinese(&self) -> String {
        format!("数据库出错：{self}")
    }
}

impl Bilingual for BooksReadError {
    fn chinese(&self) -> String {
        match self {
            Self::Database(error) => format!("账本无法读取：{error}"),
            Self::Store(error) => error.chinese(),
            Self::Foreign { kept, asked } => format!(
                "账本按 {kept} 记账，而配置为 {asked}；请改回配置，或运行 `suanzhang account` 重新记账"
            ),
        }
    }
}

impl Bilingual for QuestionError {
    fn chinese(&self) -> String {
        format!("无法回答这个问题：{self}")
    }
}
