//! The explorer's question over HTTP: the same object as the command line's.

use actix_web::{HttpRequest, HttpResponse, get, web};
use api::Problem;
use api::query::{Filter, Grain, NamedAnswer, Query};

use super::error::Fault;
use super::parameters::{Pairs, Parameters, csv};
use crate::app::App;
use crate::report::query as render;
use crate::store::query::Books;
use crate::store::query::question::Question;
use crate::store::scope::Scope;

const KNOWN: [&str; 8] = [
    "metric", "group_by", "from", "to", "filter", "grain", "format", "bom",
];

/// A metric by groups over days; the total last, its groups null
#[utoipa::path(
    get,
    path = "/api/v1/query",
    tag = "query",
    params(
        ("metric" = String, Query, description = "cost, full_cost, kwh, device_hours, tokens, tokens_per_yuan, useful_share …"),
        ("group_by" = Option<String>, Query, description = "Keys, separated by commas: project, team, site, component, category …"),
        ("from" = String, Query, description = "First day, in the ledger zone"),
        ("to" = String, Query, description = "The day after the last"),
        ("filter" = Option<Vec<String>>, Query, description = "`key:value`; the same key twice means either"),
        ("grain" = Option<Grain>, Query),
        ("format" = Option<String>, Query, description = "`json` or `csv`; else what Accept says"),
        ("bom" = Option<String>, Query, description = "`0` leaves the byte-order mark out of CSV")
    ),
    responses(
        (status = 200, body = NamedAnswer),
        (status = 400, body = Problem),
        (status = 401, body = Problem)
    )
)]
#[get("/api/v1/query")]
pub async fn ask(
    scope: Scope,
    app: web::Data<App>,
    request: HttpRequest,
    pairs: Pairs,
) -> Result<HttpResponse, Fault> {
    let parameters = Parameters::new(&pairs, &KNOWN)?;
    let filter = |text: &str| {
        let (key, value) = text
            .split_once(':')
            .ok_or_else(|| Fault::input("filter", format!("`{text}` is no key:value")))?;
        Ok::<_, Fault>(Filter {
            key: key.to_owned(),
            value: value.to_owned(),
        })
    };
    parameters.range()?;
    let query = Query {
        metric: parameters.required("metric")?.to_owned(),
        group_by: parameters
            .all("group_by")
            .flat_map(|names| names.split(','))
            .filter(|name| !name.is_empty())
            .map(ToOwned::to_owned)
            .collect(),
        from: parameters.required("from")?.to_owned(),
        to: parameters.required("to")?.to_owned(),
        filters: parameters
            .all("filter")
            .map(filter)
            .collect::<Result<_, _>>()?,
        grain: grain(&parameters)?,
    };
    let question = Question::parse(&query)
        .map_err(|error| Fault::input(error.field, error.why.to_string()))?;
    let books = Books::of(&app);
    let answer = books.query(&scope, &query, &question).await?;
    if parameters.wants_csv(&request)? {
        return csv(
            &render::table(&answer),
            &parameters,
            &format!("suanzhang-{}", query.metric),
        );
    }
    Ok(HttpResponse::Ok().json(books.named(&question, answer).await?))
}

/// `day`, `week` or `month`.
///
/// # Errors
/// When it is none of them.
pub fn grain(parameters: &Parameters<'_>) -> Result<Option<Grain>, Fault> {
    match parameters.text("grain") {
        None => Ok(None),
        Some("day") => Ok(Some(Grain::Day)),
        Some("week") => Ok(Some(Grain::Week)),
        Some("month") => Ok(Some(Grain::Month)),
        Some(_) => Err(Fault::input("grain", "is `day`, `week` or `month`")),
    }
}
