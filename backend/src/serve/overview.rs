//! The first page's figures in one answer.

use actix_web::{get, web};
use api::Problem;
use api::overview::Overview;
use api::query::Grain;

use super::error::Fault;
use super::parameters::{Pairs, Parameters};
use super::query::grain;
use crate::app::App;
use crate::store::query::Books;
use crate::store::query::overview::{Compare, OverviewQuestion};
use crate::store::scope::Scope;

const KNOWN: [&str; 7] = ["from", "to", "compare", "grain", "site", "team", "project"];

/// Cost, efficiency, waste and data health of a range, against a comparison
#[utoipa::path(
    get,
    path = "/api/v1/overview",
    tag = "overview",
    params(
        ("from" = String, Query, description = "First day, in the ledger zone"),
        ("to" = String, Query, description = "The day after the last"),
        ("compare" = Option<String>, Query, description = "`previous`, `last_month`, `last_year` or `none` (when left out)"),
        ("grain" = Option<Grain>, Query, description = "`day` when left out"),
        ("site" = Option<String>, Query),
        ("team" = Option<String>, Query),
        ("project" = Option<String>, Query)
    ),
    responses(
        (status = 200, body = Overview),
        (status = 400, body = Problem),
        (status = 401, body = Problem)
    )
)]
#[get("/api/v1/overview")]
pub async fn show(
    scope: Scope,
    app: web::Data<App>,
    pairs: Pairs,
) -> Result<web::Json<Overview>, Fault> {
    let parameters = Parameters::new(&pairs, &KNOWN)?;
    let (from, to) = parameters.range()?;
    let compare = match parameters.text("compare") {
        None | Some("none") => Compare::None,
        Some("previous") => Compare::Previous,
        Some("last_month") => Compare::LastMonth,
        Some("last_year") => Compare::LastYear,
        Some(_) => {
            return Err(Fault::input(
                "compare",
                "is `previous`, `last_month`, `last_year` or `none`",
            ));
        }
    };
    let question = OverviewQuestion {
        from,
        to,
        compare,
        grain: grain(&parameters)?.unwrap_or(Grain::Day),
        filters: parameters.scope_filters(),
    };
    Ok(web::Json(
        Books::of(&app).overview(&scope, &question).await?,
    ))
}
