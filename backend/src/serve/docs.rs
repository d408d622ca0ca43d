//! The API's description at `/api/openapi.json`, and a page to try it at `/api/docs`.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use actix_web::http::header;
use actix_web::web::ServiceConfig;
use actix_web::{HttpResponse, get};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityScheme};
use utoipa::openapi::{Components, OpenApi, SecurityRequirement};
use utoipa::{Modify, OpenApi as _};

use super::Description;

const ADDRESS: &str = "/api/openapi.json";

/// What stands around the operations: title, licence, and that a session is needed unless an operation says otherwise.
pub struct About;

impl Modify for About {
    fn modify(&self, api: &mut OpenApi) {
        "Suanzhang".clone_into(&mut api.info.title);
        api.info.description = Some(
            "The accounts of AI compute. Money is a decimal string with its currency beside it, times are RFC 3339 \
             with offset, days are those of the ledger zone, ranges are half-open, unknown is null. Errors are \
             RFC 9457 problems with a stable code."
                .to_owned(),
        );
        api.info.contact = None;
        let cookie = ApiKeyValue::with_description(
            "suanzhang_session",
            "The cookie that POST /api/v1/session sets",
        );
        api.components
            .get_or_insert_with(Components::new)
            .add_security_scheme("session", SecurityScheme::ApiKey(ApiKey::Cookie(cookie)));
        api.security = Some(vec![SecurityRequirement::new::<_, _, &str>("session", [])]);
    }
}

/// The description as it is served and kept in docs/openapi.json.
#[must_use]
pub fn description() -> String {
    Description::openapi().to_pretty_json().unwrap_or_default()
}

/// The addresses that take some method.
pub fn addresses() -> &'static BTreeSet<String> {
    static ADDRESSES: OnceLock<BTreeSet<String>> = OnceLock::new();
    ADDRESSES.get_or_init(|| Description::openapi().paths.paths.into_keys().collect())
}

#[get("/api/openapi.json")]
async fn openapi() -> HttpResponse {
    HttpResponse::Ok()
        .content_type("application/json")
        .insert_header((header::CACHE_CONTROL, "no-cache"))
        .body(description())
}

#[get("/api/docs")]
async fn redirect() -> HttpResponse {
    HttpResponse::SeeOther()
        .insert_header((header::LOCATION, "/api/docs/"))
        .finish()
}

pub fn routes(config: &mut ServiceConfig) {
    let settings = utoipa_swagger_ui::Config::new([ADDRESS]);
    let page = utoipa_swagger_ui::SwaggerUi::new("/api/docs/{_:.*}").config(settings);
    config.service(openapi).service(redirect).service(page);
}
