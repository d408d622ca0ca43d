//! One stored row, cell by cell: a query's row, or a row of a fact file the product brings along.

use accounting::facts::Validity;
use accounting::ids::Id;
use accounting::quantity::{Rational, Share, decimal, share};
use accounting::time::{Month, Ms};
use chrono::{Datelike, NaiveDate};
use sqlx::Row as _;
use sqlx::postgres::{PgPool, PgRow};

use crate::store::StoreError;
use crate::store::instants::{Instant, ms};
use crate::store::words::{Words, word};

/// Every row of a statement, made into facts.
pub async fn all<T>(
    db: &PgPool,
    statement: &'static str,
    make: fn(&Cells<'_>) -> Result<T, StoreError>,
) -> Result<Vec<T>, StoreError> {
    let rows = sqlx::query(statement).fetch_all(db).await?;
    rows.iter().map(|row| make(&Cells(row))).collect()
}

pub struct Cells<'r>(pub &'r PgRow);

impl<'r> Cells<'r> {
    pub fn maybe_text(&self, column: &str) -> Result<Option<&'r str>, StoreError> {
        Ok(self.0.try_get(column)?)
    }

    pub fn text(&self, column: &str) -> Result<&'r str, StoreError> {
        Ok(self.0.try_get(column)?)
    }

    pub fn id(&self, column: &str) -> Result<Id, StoreError> {
        self.text(column).map(Id::from)
    }

    pub fn maybe_id(&self, column: &str) -> Result<Option<Id>, StoreError> {
        Ok(self.maybe_text(column)?.map(Id::from))
    }

    pub fn string(&self, column: &str) -> Result<String, StoreError> {
        self.text(column).map(str::to_owned)
    }

    pub fn maybe_word<T: Words>(&self, column: &str) -> Result<Option<T>, StoreError> {
        self.maybe_text(column)?
            .map(|text| word(text).ok_or_else(|| unreadable(column, text)))
            .transpose()
    }

    pub fn word<T: Words>(&self, column: &str) -> Result<T, StoreError> {
        let text = self.text(column)?;
        word(text).ok_or_else(|| unreadable(column, text))
    }

    pub fn maybe_ms(&self, column: &str) -> Result<Option<Ms>, StoreError> {
        Ok(self.0.try_get::<Option<Instant>, _>(column)?.map(ms))
    }

    pub fn ms(&self, column: &str) -> Result<Ms, StoreError> {
        Ok(ms(self.0.try_get(column)?))
    }

    pub fn maybe_date(&self, column: &str) -> Result<Option<NaiveDate>, StoreError> {
        Ok(self.0.try_get(column)?)
    }

    pub fn date(&self, column: &str) -> Result<NaiveDate, StoreError> {
        Ok(self.0.try_get(column)?)
    }

    pub fn maybe_month(&self, column: &str) -> Result<Option<Month>, StoreError> {
        Ok(self.maybe_date(column)?.map(month))
    }

    pub fn month(&self, column: &str) -> Result<Month, StoreError> {
        self.date(column).map(month)
    }

    pub fn maybe_whole(&self, column: &str) -> Result<Option<i64>, StoreError> {
        Ok(self.0.try_get(column)?)
    }

    pub fn whole(&self, column: &str) -> Result<i64, StoreError> {
        Ok(self.0.try_get(column)?)
    }

    /// A `numeric` column that the statement gives as text.
    pub fn maybe_number(&self, column: &str) -> Result<Option<Rational>, StoreError> {
        self.maybe_text(column)?
            .map(|text| decimal(text).map_err(|_| unreadable(column, text)))
            .transpose()
    }

    pub fn number(&self, column: &str) -> Result<Rational, StoreError> {
        self.maybe_number(column)?
            .ok_or_else(|| unreadable(column, "(missing)"))
    }

    /// A price or amount net of the VAT written beside it.
    pub fn net(&self, column: &str) -> Result<Rational, StoreError> {
        let gross = self.number(column)?;
        let Some(rate) = self.maybe_number("vat_rate")? else {
            return Ok(gross);
        };
        Rational::ONE
            .plus(rate)
            .and_then(|divisor| gross.over(divisor))
            .ok_or_else(|| unreadable(column, "(too long a price and VAT rate)"))
    }

    pub fn maybe_share(&self, column: &str) -> Result<Option<Share>, StoreError> {
        self.maybe_text(column)?
            .map(|text| share(text).map_err(|_| unreadable(column, text)))
            .transpose()
    }

    pub fn validity(&self, from: &str, to: &str) -> Result<Validity, StoreError> {
        Ok(Validity {
            from: self.maybe_ms(from)?,
            to: self.maybe_ms(to)?,
        })
    }

    /// A compound text, read by what the importer checked it with.
    pub fn read<T, E>(
        &self,
        column: &str,
        reader: impl Fn(&str) -> Result<T, E>,
    ) -> Result<T, StoreError> {
        let text = self.text(column)?;
        reader(text).map_err(|_| unreadable(column, text))
    }
}

pub fn unreadable(column: &str, text: &str) -> StoreError {
    StoreError::Unreadable(format!("`{text}` in column {column}"))
}

fn month(first: NaiveDate) -> Month {
    Month {
        year: first.year(),
        month: first.month(),
    }
}

/// Ends each row at the latest where the next one of the same thing begins. Rows stand by (thing, begin).
pub fn end_where_the_next_begins<T>(
    rows: &mut [T],
    is_same: impl Fn(&T, &T) -> bool,
    valid: impl Fn(&mut T) -> &mut Validity,
) {
    let mut rest = rows;
    while let Some((row, after)) = rest.split_first_mut() {
        if let Some(next) = after.first_mut().filter(|next| is_same(row, next)) {
            let begin = valid(next).from;
            let validity = valid(row);
            if let Some(begin) = begin {
                validity.to = Some(validity.to.map_or(begin, |to| to.min(begin)));
            }
        }
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_row_ends_the_one_before_it() {
        let valid = |from, to| Validity { from, to };
        let mut rows = vec![
            ("a", valid(None, None)),
            ("a", valid(Some(10), Some(20))),
            ("a", valid(Some(15), None)),
            ("b", valid(Some(5), None)),
        ];
        end_where_the_next_begins(&mut rows, |x, y| x.0 == y.0, |row| &mut row.1);
        assert_eq!(
            rows.iter().map(|row| row.1).collect::<Vec<_>>(),
            [
                valid(None, Some(10)),
                valid(Some(10), Some(15)),
                valid(Some(15), None),
                valid(Some(5), None)
            ]
        );
    }
}
