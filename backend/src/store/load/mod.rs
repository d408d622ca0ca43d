//! Facts out of the database, as the accounting core takes them.
//!
//! [`standing`] reads relations, rules and prices whole; [`activity`] what happened around a span of time. A row of
//! the same thing that begins later ends the one before it, so that no order of imports matters.

mod activity;
mod cells;
mod organisation;
mod places;
mod prices;
mod seeded;

use accounting::facts::Facts;
use sqlx::postgres::PgPool;

pub use activity::{activity, extent};
pub use organisation::policies;
pub use prices::tariff_row;

use super::StoreError;

/// Relations, rules and prices: all of them, with no activity.
///
/// # Errors
/// The database cannot be reached, or holds what this version cannot read.
pub async fn standing(db: &PgPool) -> Result<Facts, StoreError> {
    Ok(Facts {
        sites: places::sites(db).await?,
        nodes: places::nodes(db).await?,
        devices: places::devices(db).await?,
        models: places::models(db).await?,
        meters: places::meters(db).await?,
        assets: prices::assets(db).await?,
        recurring: prices::recurring(db).await?,
        tariffs: prices::tariffs(db).await?,
        tariff_prices: prices::tariff_prices(db).await?,
        holidays: prices::holidays(db).await?,
        price_book: prices::price_book(db).await?,
        fx: prices::fx(db).await?,
        teams: organisation::teams(db).await?,
        projects: organisation::projects(db).await?,
        people: organisation::people(db).await?,
        rules: organisation::rules(db).await?,
        policies: organisation::policies(db).await?,
        fault_classes: places::fault_classes(db).await?,
        ..Facts::default()
    })
}
