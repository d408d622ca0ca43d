//! The import ledger, newest first.

use actix_web::{get, web};
use api::Problem;
use api::imports::ImportList;
use serde::Deserialize;
use utoipa::IntoParams;

use super::error::Fault;
use crate::app::App;
use crate::store::imports;
use crate::store::scope::Scope;

const USUAL: i64 = 50;
const MOST: i64 = 500;

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct Page {
    /// `next_cursor` of the page before
    cursor: Option<String>,
    /// Files a page, 1 to 500; 50 when not given
    #[param(value_type = Option<i64>)]
    limit: Option<String>,
}

/// What came in, file by file
#[utoipa::path(
    get,
    path = "/api/v1/imports",
    tag = "imports",
    params(Page),
    responses(
        (status = 200, body = ImportList),
        (status = 400, body = Problem),
        (status = 401, body = Problem),
        (status = 403, body = Problem)
    )
)]
#[get("/api/v1/imports")]
pub async fn list(
    scope: Scope,
    app: web::Data<App>,
    page: web::Query<Page>,
) -> Result<web::Json<ImportList>, Fault> {
    // File names and refused rows tell of everybody's data.
    if scope != Scope::Company {
        return Err(Fault::Forbidden);
    }
    let cursor = match &page.cursor {
        None => None,
        Some(text) => Some(
            text.parse::<i64>()
                .map_err(|_| Fault::input("cursor", "is not a next_cursor of this list"))?,
        ),
    };
    let limit = match &page.limit {
        None => USUAL,
        Some(text) => text
            .parse()
            .ok()
            .filter(|limit| (1..=MOST).contains(limit))
            .ok_or_else(|| {
                Fault::input("limit", format!("must be a whole number from 1 to {MOST}"))
            })?,
    };
    let db = app.db.get_postgres_connection_pool();
    Ok(web::Json(
        imports::page(db, app.config.ledger.zone, cursor, limit).await?,
    ))
}
