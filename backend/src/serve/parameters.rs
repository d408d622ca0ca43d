//! Parameters of figures: days, filters, scope of the page, and what form the answer takes.

use actix_web::HttpRequest;
use actix_web::http::header::{
    ACCEPT, CONTENT_DISPOSITION, ContentDisposition, DispositionParam, DispositionType,
};
use actix_web::{HttpResponse, web};
use chrono::NaiveDate;

use super::error::Fault;
use crate::report::table::Table;
use crate::store::query::question::Key;

/// The query string as it came: names may repeat.
pub type Pairs = web::Query<Vec<(String, String)>>;

/// Parameters that may be given several times.
const REPEATING: [&str; 2] = ["group_by", "filter"];

/// Reads parameters by name, and refuses those nobody knows.
pub struct Parameters<'p> {
    pairs: &'p [(String, String)],
}

impl<'p> Parameters<'p> {
    /// # Errors
    /// Names a parameter that is not among `known`, one that repeats and may not, or one with a character that no
    /// text of the database has.
    pub fn new(pairs: &'p [(String, String)], known: &[&str]) -> Result<Self, Fault> {
        for (index, (name, value)) in pairs.iter().enumerate() {
            if !known.contains(&name.as_str()) {
                let known = known.join(", ");
                return Err(Fault::input(
                    name,
                    format!("is no parameter here (known: {known})"),
                ));
            }
            if value.contains('\0') {
                return Err(Fault::input(name, "has a NUL character"));
            }
            let before = pairs.iter().take(index);
            if !REPEATING.contains(&name.as_str()) && before.clone().any(|(known, _)| known == name)
            {
                return Err(Fault::input(name, "is given twice"));
            }
        }
        Ok(Self { pairs })
    }

    /// The value of a parameter that may be left out.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&'p str> {
        self.all(name).next_back().filter(|value| !value.is_empty())
    }

    /// # Errors
    /// When it is missing.
    pub fn required(&self, name: &str) -> Result<&'p str, Fault> {
        self.text(name)
            .ok_or_else(|| Fault::input(name, "is missing"))
    }

    /// Every value of a parameter that repeats.
    pub fn all(&self, name: &str) -> impl DoubleEndedIterator<Item = &'p str> {
        let name = name.to_owned();
        self.pairs
            .iter()
            .filter(move |(known, _)| *known == name)
            .map(|(_, value)| value.as_str())
    }

    /// # Errors
    /// When it is missing or no day.
    pub fn day(&self, name: &str) -> Result<NaiveDate, Fault> {
        self.required(name)?
            .parse()
            .map_err(|_| Fault::input(name, "is no day; write 2026-07-31"))
    }

    /// A half-open range of days.
    ///
    /// # Errors
    /// When a bound is missing or no day, or the range is empty or longer than ten years.
    pub fn range(&self) -> Result<(NaiveDate, NaiveDate), Fault> {
        let (from, to) = (self.day("from")?, self.day("to")?);
        if to <= from {
            return Err(Fault::input(
                "to",
                "must be after `from`; the range is half-open",
            ));
        }
        if (to - from).num_days() > 3660 {
            return Err(Fault::input("to", "is more than ten years after `from`"));
        }
        Ok((from, to))
    }

    /// `site`, `team` and `project`, which may be left out.
    #[must_use]
    pub fn scope_filters(&self) -> Vec<(Key, Vec<String>)> {
        [
            (Key::Site, "site"),
            (Key::Team, "team"),
            (Key::Project, "project"),
        ]
        .into_iter()
        .filter_map(|(key, name)| Some((key, vec![self.text(name)?.to_owned()])))
        .collect()
    }

    /// Whether the answer is wanted as CSV: `format=csv`, else what `Accept` says.
    ///
    /// # Errors
    /// When `format` is neither `csv` nor `json`.
    pub fn wants_csv(&self, request: &HttpRequest) -> Result<bool, Fault> {
        match self.text("format") {
            Some("csv") => Ok(true),
            Some("json") => Ok(false),
            Some(_) => Err(Fault::input("format", "is `csv` or `json`")),
            None => {
                let accept = request
                    .headers()
                    .get(ACCEPT)
                    .and_then(|value| value.to_str().ok());
                Ok(accept.is_some_and(|accept| {
                    accept
                        .split(',')
                        .any(|kind| kind.trim().starts_with("text/csv"))
                }))
            }
        }
    }
}

/// A table as a file, with a byte-order mark so that spreadsheets read its Chinese; `bom=0` leaves it out.
///
/// # Errors
/// When the table cannot be written.
pub fn csv(table: &Table, parameters: &Parameters<'_>, name: &str) -> Result<HttpResponse, Fault> {
    let mut bytes = Vec::new();
    let mark = match parameters.text("bom") {
        None | Some("1") => true,
        Some("0") => false,
        Some(_) => return Err(Fault::input("bom", "is `0` or `1`")),
    };
    table.csv(&mut bytes, mark).map_err(Fault::internal)?;
    let disposition = ContentDisposition {
        disposition: DispositionType::Attachment,
        parameters: vec![DispositionParam::Filename(format!("{name}.csv"))],
    };
    Ok(HttpResponse::Ok()
        .content_type("text/csv; charset=utf-8")
        .insert_header((CONTENT_DISPOSITION, disposition))
        .body(bytes))
}
