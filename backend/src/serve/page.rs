//! The page's files. An address that is no file shows the page itself, which knows its own addresses.

use std::path::Path;

use actix_files::{NamedFile, PathBufWrap};
use actix_web::http::Method;
use actix_web::http::header::{self, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, web};

use super::docs;
use super::error::Fault;
use crate::app::App;

/// Files are asked about again each time; their ETag makes that cheap, and a new build shows at once.
const ASK_AGAIN: HeaderValue = HeaderValue::from_static("no-cache");

pub async fn file(app: web::Data<App>, request: HttpRequest) -> Result<HttpResponse, Fault> {
    if request.path().starts_with("/api/") {
        let exists = docs::addresses().contains(request.path());
        return Err(if exists {
            Fault::MethodNotAllowed
        } else {
            Fault::NotFound
        });
    }
    // Monitors ask here by habit; a page would look like an answer to them.
    if request.path() == "/metrics" {
        return Err(Fault::NotFound);
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Err(Fault::MethodNotAllowed);
    }
    let folder = &app.config.page_dir;
    let wanted = PathBufWrap::parse_req_path(&request, false).map_err(|_| Fault::NotFound)?;
    let wanted: &Path = wanted.as_ref();
    let found = open(&folder.join(wanted));
    let file = match found {
        Some(file) => file,
        // A missing script must not come back as a page.
        None if wanted.extension().is_some() => return Err(Fault::NotFound),
        None => match open(&folder.join("index.html")) {
            Some(file) => file,
            None => return Ok(not_built(&app)),
        },
    };
    let mut answer = file.into_response(&request);
    answer
        .headers_mut()
        .insert(header::CACHE_CONTROL, ASK_AGAIN);
    Ok(answer)
}

/// A regular file, or nothing.
fn open(path: &Path) -> Option<NamedFile> {
    let file = NamedFile::open(path).ok()?;
    file.metadata().is_file().then_some(file)
}

fn not_built(app: &App) -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/plain; charset=utf-8")
        .body(format!(
            "The page is not built: there is no index.html in {}. `cargo xtask page` builds it.\n\
             网页尚未构建：请运行 `cargo xtask page`。The API is at /api/docs.\n",
            app.config.page_dir.display()
        ))
}
