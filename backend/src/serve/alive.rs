//! For operators and their probes: is the process there, and can it answer questions?

use actix_web::{HttpResponse, get, web};

use super::error::Fault;
use crate::app::App;
use crate::store::pool;

/// The process runs.
#[get("/healthz")]
pub async fn healthz() -> HttpResponse {
    HttpResponse::Ok().content_type("text/plain").body("ok\n")
}

/// The database answers too.
#[get("/readyz")]
pub async fn readyz(app: web::Data<App>) -> Result<HttpResponse, Fault> {
    pool::version(&app.db).await?;
    Ok(HttpResponse::Ok().content_type("text/plain").body("ok\n"))
}
