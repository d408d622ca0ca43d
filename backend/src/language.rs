//! Errors in both languages: what the command line says when something fails.
//!
//! An error's `Display` is its English, for the log and for whoever reads English; its Chinese stands beside it. Both
//! say what and where, then what to do behind the first `; ` (in Chinese `；`). What PostgreSQL or the system says
//! keeps its own words, as the cause.

use std::error::Error;
use std::io;

use api::Language;

use crate::store::query::BooksReadError;

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

#[cfg(test)]
pub(crate) mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may")]
    use std::sync::Arc;

    use super::*;
    use crate::app::OpenError;
    use crate::config::{ConfigError, Source, Wrong};
    use crate::password::PasswordError;
    use crate::serve::ServeError;
    use crate::store::StoreError;
    use crate::store::books::BooksError;
    use crate::store::pool::PoolError;
    use crate::tasks::account::AccountError;
    use crate::tasks::health::HealthError;

    /// The Chinese is Chinese, and says what to do exactly where the English does; `shown` stands in both.
    pub(crate) fn speaks_both(error: &dyn Bilingual, shown: &[&str]) {
        let (chinese, english) = (error.chinese(), error.to_string());
        let is_chinese = |c: char| ('\u{4e00}'..='\u{9fff}').contains(&c);
        assert!(chinese.contains(is_chinese), "{chinese}");
        assert!(!english.contains(is_chinese), "{english}");
        assert_eq!(
            chinese.contains('；'),
            english.contains("; "),
            "{chinese} / {english}"
        );
        for word in shown {
            assert!(chinese.contains(word), "{chinese}: no {word}");
            assert!(english.contains(word), "{english}: no {word}");
        }
        assert!(!chinese.contains(['!', '！', '。']), "{chinese}");
    }

    fn cause() -> sqlx::Error {
        sqlx::Error::Protocol("cause1".to_owned())
    }

    fn io_cause() -> io::Error {
        io::Error::other("cause1")
    }

    #[test]
    fn what_the_database_does_is_told_in_both() {
        let refused = || StoreError::Refused(Arc::new(cause()));
        let errors: [&dyn Bilingual; 12] = [
            &StoreError::Gone(Arc::new(cause())),
            &refused(),
            &PoolError::Url(cause()),
            &PoolError::Store(refused()),
            &OpenError::Pool(PoolError::Store(refused())),
            &BooksError::Database(cause()),
            &BooksReadError::Database(cause()),
            &BooksReadError::Store(refused()),
            &AccountError::Store(refused()),
            &AccountError::Books(BooksError::Database(cause())),
            &AccountError::Database(cause()),
            &HealthError::Database(cause()),
        ];
        for error in errors {
            speaks_both(error, &["cause1"]);
        }
        speaks_both(&PoolError::TooOld("14.9".to_owned()), &["14.9", "15"]);
        speaks_both(&StoreError::Unreadable("row1".to_owned()), &["row1"]);
        speaks_both(&AccountError::Busy, &[]);
        speaks_both(&AccountError::BrokenOff, &[]);
        speaks_both(&OpenError::Interrupted, &["PostgreSQL"]);
        let differ = BooksError::ReasonsDiffer {
            day: "2026-07-01".parse().unwrap(),
            device: "d1".to_owned(),
            workload: "w1".to_owned(),
            category: "useful",
        };
        speaks_both(&differ, &["2026-07-01", "`d1`", "`w1`", "useful"]);
    }

    #[test]
    fn what_serving_and_signing_in_do_is_told_in_both() {
        let listen = ServeError::Listen {
            address: "127.0.0.1:1".parse().unwrap(),
            source: io_cause(),
        };
        speaks_both(&listen, &["127.0.0.1:1", "cause1", "SUANZHANG_LISTEN"]);
        speaks_both(&ServeError::Failed(io_cause()), &["cause1"]);
        speaks_both(&PasswordError::TooShort, &["10"]);
        speaks_both(&PasswordError::TooLong, &["1024"]);
    }

    #[test]
    fn what_is_wrong_with_the_configuration_is_told_in_both() {
        let given = || "given1".to_owned();
        let wrongs = [
            Wrong::NotAddress(given()),
            Wrong::NotZone(given()),
            Wrong::NotCurrency(given()),
            Wrong::NotHours(given()),
            Wrong::NotTruth(given()),
            Wrong::NotLanguage(given()),
            Wrong::NotPlain("given1"),
            Wrong::FileUnreadable {
                path: given(),
                cause: "cause1".to_owned(),
            },
        ];
        let value = |wrong| ConfigError::Value {
            place: Source::Variable("V1".to_owned()),
            key: "key1".to_owned(),
            wrong,
        };
        for wrong in wrongs {
            speaks_both(&value(wrong), &["V1", "`key1`", "given1"]);
        }
        speaks_both(&value(Wrong::Empty), &["`key1`"]);
        speaks_both(&value(Wrong::NotPostgres), &["postgres://"]);
        let near = || Some("near1".to_owned());
        let unknown = |near| ConfigError::Unknown {
            place: Source::CommandLine,
            key: "key1".to_owned(),
            near,
        };
        speaks_both(&unknown(near()), &["`key1`", "`near1`"]);
        speaks_both(&unknown(None), &["`key1`"]);
        let variable = ConfigError::UnknownVariable {
            name: "V1".to_owned(),
            near: near(),
        };
        speaks_both(&variable, &["`V1`", "`near1`"]);
    }
}
