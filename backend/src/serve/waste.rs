//! The waste ranking over HTTP.

use actix_web::{HttpRequest, HttpResponse, get, web};
use api::Problem;
use api::waste::WasteAnswer;

use super::error::Fault;
use super::parameters::{Pairs, Parameters, csv};
use crate::app::App;
use crate::report::waste as render;
use crate::store::query::Books;
use crate::store::query::waste::WasteQuestion;
use crate::store::scope::Scope;

const KNOWN: [&str; 7] = ["from", "to", "site", "team", "project", "format", "bom"];

/// Waste by category, sub-reason and place, largest first; unknown cost beside it
#[utoipa::path(
    get,
    path = "/api/v1/waste",
    tag = "waste",
    params(
        ("from" = String, Query, description = "First day, in the ledger zone"),
        ("to" = String, Query, description = "The day after the last"),
        ("site" = Option<String>, Query),
        ("team" = Option<String>, Query),
        ("project" = Option<String>, Query),
        ("format" = Option<String>, Query, description = "`json` or `csv`; else what Accept says"),
        ("bom" = Option<String>, Query, description = "`0` leaves the byte-order mark out of CSV")
    ),
    responses(
        (status = 200, body = WasteAnswer),
        (status = 400, body = Problem),
        (status = 401, body = Problem)
    )
)]
#[get("/api/v1/waste")]
pub async fn rank(
    scope: Scope,
    app: web::Data<App>,
    request: HttpRequest,
    pairs: Pairs,
) -> Result<HttpResponse, Fault> {
    let parameters = Parameters::new(&pairs, &KNOWN)?;
    let (from, to) = parameters.range()?;
    let question = WasteQuestion {
        from,
        to,
        filters: parameters.scope_filters(),
    };
    let answer = Books::of(&app).waste(&scope, &question).await?;
    if parameters.wants_csv(&request)? {
        return csv(&render::table(&answer), &parameters, "suanzhang-waste");
    }
    Ok(HttpResponse::Ok().json(answer))
}
