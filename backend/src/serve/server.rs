//! The HTTP server: listening, what wraps every answer, and a graceful end.

use std::net::SocketAddr;
use std::time::Duration;

use actix_web::body::MessageBody;
use actix_web::dev::{Server, ServerHandle, ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::middleware::{Compress, from_fn};
use actix_web::{HttpServer, web};

use super::{error, headers, routes};
use crate::app::App;
use crate::language::Bilingual;

/// Requests under way get so long to finish.
const GRACE_S: u64 = 10;
/// A client that sends its head more slowly than this is not waited for.
const HEAD_WAIT: Duration = Duration::from_secs(10);
const MAX_WORKERS: usize = 4;

#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("cannot listen on {address}: {source}; choose another by SUANZHANG_LISTEN")]
    Listen {
        address: SocketAddr,
        source: std::io::Error,
    },
    #[error("the HTTP server failed: {0}")]
    Failed(#[source] std::io::Error),
}

impl Bilingual for ServeError {
    fn chinese(&self) -> String {
        match self {
            Self::Listen { address, source } => {
                format!("无法监听 {address}：{source}；请用 SUANZHANG_LISTEN 另选地址")
            }
            Self::Failed(error) => format!("HTTP 服务出错：{error}"),
        }
    }
}

/// Everything that answers a request: the routes, and what wraps them.
pub fn application(
    app: web::Data<App>,
) -> actix_web::App<
    impl ServiceFactory<
        ServiceRequest,
        Config = (),
        Response = ServiceResponse<impl MessageBody>,
        Error = actix_web::Error,
        InitError = (),
    >,
> {
    actix_web::App::new()
        .app_data(app)
        .configure(routes)
        // The last one wraps the others.
        .wrap(from_fn(headers::await_body))
        .wrap(from_fn(error::problems))
        .wrap(from_fn(headers::secure))
        .wrap(from_fn(headers::answer_head))
        .wrap(Compress::default())
}

/// A server that listens. It answers while [`Running::wait`] is polled.
pub struct Running {
    server: Server,
    address: SocketAddr,
}

impl Running {
    /// Begins to listen on `app.config.listen`.
    ///
    /// # Errors
    /// The address cannot be had.
    pub fn start(app: App) -> Result<Self, ServeError> {
        let address = app.config.listen;
        let failed = |source| ServeError::Listen { address, source };
        let app = web::Data::new(app);
        let workers = std::thread::available_parallelism().map_or(2, usize::from);
        let server = HttpServer::new(move || application(app.clone()))
            .workers(workers.clamp(2, MAX_WORKERS))
            .disable_signals()
            .client_request_timeout(HEAD_WAIT)
            .shutdown_timeout(GRACE_S)
            .bind(address)
            .map_err(failed)?;
        let address = server.addrs().first().copied().unwrap_or(address);
        Ok(Self {
            server: server.run(),
            address,
        })
    }

    /// Where it listens; the port is the one the system chose when 0 was asked for.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    #[must_use]
    pub fn handle(&self) -> ServerHandle {
        self.server.handle()
    }

    /// Answers until somebody stops it by its handle.
    ///
    /// # Errors
    /// The server breaks.
    pub async fn wait(self) -> Result<(), ServeError> {
        self.server.await.map_err(ServeError::Failed)
    }
}
