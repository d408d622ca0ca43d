//! Data health: whether the books can be trusted, and what needs a person.

use actix_web::{get, web};
use api::Problem;
use api::health::Health;

use super::error::Fault;
use crate::app::App;
use crate::store::books::BooksError;
use crate::store::query::BooksReadError;
use crate::store::scope::Scope;
use crate::tasks::account::AccountError;
use crate::tasks::health::{self, HealthError};

/// Whether the books can be trusted, and what needs a person
#[utoipa::path(
    get,
    path = "/api/v1/health",
    tag = "health",
    responses(
        (status = 200, body = Health),
        (status = 401, body = Problem),
        (status = 403, body = Problem),
        (status = 503, body = Problem)
    )
)]
#[get("/api/v1/health")]
pub async fn read(scope: Scope, app: web::Data<App>) -> Result<web::Json<Health>, Fault> {
    // It tells of everybody's data.
    let (health, _) = health::health(&app, &scope)
        .await?
        .ok_or(Fault::Forbidden)?;
    Ok(web::Json(health))
}

impl From<HealthError> for Fault {
    fn from(error: HealthError) -> Self {
        match error {
            HealthError::Database(error)
            | HealthError::Account(AccountError::Database(error))
            | HealthError::Books(BooksReadError::Database(error)) => error.into(),
            HealthError::Account(AccountError::Store(error))
            | HealthError::Books(BooksReadError::Store(error)) => error.into(),
            HealthError::Account(AccountError::Books(BooksError::Database(error))) => error.into(),
            HealthError::Books(error) => error.into(),
            HealthError::Account(error) => Self::internal(error),
        }
    }
}
