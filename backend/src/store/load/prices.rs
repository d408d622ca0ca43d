//! Assets, charges, tariffs, price book and exchange rates, net of VAT.

use std::collections::BTreeSet;

use accounting::facts::{
    Asset, FxRate, Holiday, PriceBookRow, Recurring, ShareKey, TariffPrice, TariffRow,
};
use sqlx::postgres::{PgPool, PgRow};

use super::cells::{Cells, all, end_where_the_next_begins, unreadable};
use super::seeded;
use crate::store::StoreError;
use crate::store::words::HolidayKind;
use crate::store::written::{days, nodes, season, slot};

pub async fn assets(db: &PgPool) -> Result<Vec<Asset>, StoreError> {
    all(
        db,
        "SELECT asset, name, site, nodes, price::text, vat_rate::text, currency, in_service, life_months, \
         residual_rate::text, method, start_rule, retired, share_key, valid_from_month FROM assets \
         ORDER BY asset COLLATE \"C\", valid_from_month NULLS FIRST",
        asset,
    )
    .await
}

fn asset(row: &Cells<'_>) -> Result<Asset, StoreError> {
    Ok(Asset {
        asset: row.id("asset")?,
        name: row.string("name")?,
        site: row.id("site")?,
        nodes: nodes(row.maybe_text("nodes")?),
        price_fen: scaled(row, "price", 2)?,
        currency: row.id("currency")?,
        in_service: row.date("in_service")?,
        life_months: row.whole("life_months")?,
        residual_rate: row.number("residual_rate")?,
        method: row.word("method")?,
        start_rule: row.word("start_rule")?,
        retired: row.maybe_date("retired")?,
        share_key: row.maybe_word("share_key")?.unwrap_or(ShareKey::Equal),
        valid_from_month: row.maybe_month("valid_from_month")?,
    })
}

/// A net price in 10^-`places` of its currency.
fn scaled(row: &Cells<'_>, column: &str, places: u32) -> Result<i64, StoreError> {
    row.net(column)?
        .scaled(places)
        .ok_or_else(|| unreadable(column, row.text(column).unwrap_or_default()))
}

pub async fn recurring(db: &PgPool) -> Result<Vec<Recurring>, StoreError> {
    let mut charges = all(
        db,
        "SELECT charge, name, site, nodes, component, amount::text, vat_rate::text, currency, from_month, to_month \
         FROM recurring ORDER BY charge COLLATE \"C\", from_month",
        charge,
    )
    .await?;
    // A later row of a charge ends the one before it.
    let mut rest = charges.as_mut_slice();
    while let Some((row, after)) = rest.split_first_mut() {
        if let Some(next) = after.first().filter(|next| next.charge == row.charge) {
            let last = next.from_month.plus(-1);
            row.to_month = Some(row.to_month.map_or(last, |to| to.min(last)));
        }
        rest = after;
    }
    charges.retain(|row| row.to_month.is_none_or(|to| row.from_month <= to));
    Ok(charges)
}

fn charge(row: &Cells<'_>) -> Result<Recurring, StoreError> {
    Ok(Recurring {
        charge: row.id("charge")?,
        name: row.string("name")?,
        site: row.id("site")?,
        nodes: nodes(row.maybe_text("nodes")?),
        component: row.word("component")?,
        amount_micro: scaled(row, "amount", 6)?,
        currency: row.id("currency")?,
        from_month: row.month("from_month")?,
        to_month: row.maybe_month("to_month")?,
    })
}

pub async fn tariffs(db: &PgPool) -> Result<Vec<TariffRow>, StoreError> {
    all(
        db,
        "SELECT tariff, \"from\", \"to\", months, days, slot, level FROM tariffs \
         ORDER BY tariff COLLATE \"C\", \"from\", months, days, slot",
        tariff,
    )
    .await
}

fn tariff(row: &Cells<'_>) -> Result<TariffRow, StoreError> {
    Ok(TariffRow {
        tariff: row.id("tariff")?,
        valid: row.validity("from", "to")?,
        season: row.read("months", season)?,
        days: row.read("days", days)?,
        slot: row.read("slot", slot)?,
        level: row.word("level")?,
    })
}

/// A staged row of a tariff with its line.
///
/// # Errors
/// When the row is of another table.
pub fn tariff_row(row: &PgRow) -> Result<(i64, TariffRow), StoreError> {
    let cells = Cells(row);
    Ok((cells.whole("line")?, tariff(&cells)?))
}

pub async fn tariff_prices(db: &PgPool) -> Result<Vec<TariffPrice>, StoreError> {
    all(
        db,
        "SELECT tariff, month, level, price_per_kwh::text, vat_rate::text, currency FROM tariff_prices \
         ORDER BY tariff COLLATE \"C\", month, level",
        |row| {
            Ok(TariffPrice {
                tariff: row.id("tariff")?,
                month: row.month("month")?,
                level: row.word("level")?,
                price_per_kwh: row.net("price_per_kwh")?,
                currency: row.id("currency")?,
            })
        },
    )
    .await
}

/// The days imported, and those the product knows of other dates.
pub async fn holidays(db: &PgPool) -> Result<Vec<Holiday>, StoreError> {
    let mut holidays = all(
        db,
        "SELECT date, kind, region FROM holidays ORDER BY date, region COLLATE \"C\" NULLS FIRST",
        |row| {
            Ok(Holiday {
                date: row.date("date")?,
                workday: row.word::<HolidayKind>("kind")? == HolidayKind::Workday,
                region: row.maybe_id("region")?,
            })
        },
    )
    .await?;
    let named: BTreeSet<_> = holidays.iter().map(|h| h.date).collect();
    holidays.extend(
        seeded::holidays()?
            .into_iter()
            .filter(|known| !named.contains(&known.date)),
    );
    Ok(holidays)
}

pub async fn price_book(db: &PgPool) -> Result<Vec<PriceBookRow>, StoreError> {
    let mut prices = all(
        db,
        "SELECT site, model, ownership, price_per_device_hour::text, vat_rate::text, currency, \"from\", \"to\" \
         FROM price_book ORDER BY site COLLATE \"C\", model COLLATE \"C\", ownership, \"from\"",
        |row| {
            Ok(PriceBookRow {
                site: row.id("site")?,
                model: row.id("model")?,
                ownership: row.word("ownership")?,
                price_per_device_hour: row.net("price_per_device_hour")?,
                currency: row.id("currency")?,
                valid: row.validity("from", "to")?,
            })
        },
    )
    .await?;
    end_where_the_next_begins(
        &mut prices,
        |a, b| a.site == b.site && a.model == b.model && a.ownership == b.ownership,
        |row| &mut row.valid,
    );
    Ok(prices)
}

pub async fn fx(db: &PgPool) -> Result<Vec<FxRate>, StoreError> {
    all(
        db,
        "SELECT month, currency, rate::text FROM fx ORDER BY month, currency COLLATE \"C\"",
        |row| {
            Ok(FxRate {
                month: row.month("month")?,
                currency: row.id("currency")?,
                rate: row.number("rate")?,
            })
        },
    )
    .await
}
