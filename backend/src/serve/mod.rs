//! The API and the page over HTTP.
//!
//! An operation is a file with its handlers and one line in [`operations!`] below, which gives it its route and its
//! place in the API's description. A handler takes `SignedIn` or `Scope` to be reached by signed-in users only.

mod alive;
pub mod auth;
mod docs;
pub mod error;
mod headers;
mod health;
mod imports;
mod overview;
mod page;
mod parameters;
mod query;
pub mod request_id;
mod server;
mod session;
mod waste;

use actix_web::web::{self, ServiceConfig};

use docs::About;

pub use auth::SignedIn;
pub use docs::description;
pub use error::Fault;
pub use server::{Running, ServeError, application};

/// Largest body of a JSON request, in bytes.
const LARGEST_BODY: usize = 256 * 1024;

/// The route list, and the description of the same list.
macro_rules! operations {
    ($($noun:ident::$operation:ident),* $(,)?) => {
        fn api(config: &mut ServiceConfig) {
            $(config.service($noun::$operation);)*
        }

        /// The API's description, OpenAPI 3.1.
        #[derive(utoipa::OpenApi)]
        #[openapi(paths($($noun::$operation),*), modifiers(&About))]
        pub struct Description;
    };
}

operations![
    session::who,
    session::sign_in,
    session::sign_out,
    imports::list,
    health::read,
    query::ask,
    overview::show,
    waste::rank,
];

/// Everything the server answers. The app must be in the app data.
pub fn routes(config: &mut ServiceConfig) {
    let json = web::JsonConfig::default()
        .limit(LARGEST_BODY)
        .error_handler(|error, _| body_fault(error).into());
    let query = web::QueryConfig::default().error_handler(|error, _| {
        Fault::input(field_in(&error.to_string()), error.to_string()).into()
    });
    config
        .app_data(json)
        .app_data(query)
        .configure(api)
        .service(alive::healthz)
        .service(alive::readyz)
        .configure(docs::routes)
        .default_service(web::to(page::file));
}

fn body_fault(error: actix_web::error::JsonPayloadError) -> Fault {
    use actix_web::error::JsonPayloadError as Bad;
    let why = error.to_string();
    match error {
        Bad::Overflow { .. } | Bad::OverflowKnownLength { .. } => Fault::TooLarge(why),
        _ => Fault::input(field_in(&why), why),
    }
}

/// The field that serde names in its message, between backquotes.
fn field_in(message: &str) -> String {
    let is_about_a_field = message.contains(" field `");
    let named = message.split('`').nth(1).filter(|_| is_about_a_field);
    named.unwrap_or_default().to_owned()
}
