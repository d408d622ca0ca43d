//! `suanzhang serve`: the server in one process, with its own PostgreSQL where none is given. It prints where it is and
//! how to sign in, and ends in order on Ctrl-C or SIGTERM: requests first, then PostgreSQL.

mod example;
mod first_user;

use std::io::{self, Write as _};
use std::net::SocketAddr;

use clap::Args;
use tokio::signal::unix::{SignalKind, signal};

use super::Failure;
use crate::app::{App, Opened};
use crate::config::Config;
use crate::embedded::Purpose;
use crate::serve::Running;

/// Start the server: the page, the API, and PostgreSQL where no other is configured
#[derive(Debug, Args)]
pub struct Arguments {
    /// Fill an empty database with the example company
    #[arg(long)]
    demo: bool,
}

pub async fn run(config: Config, arguments: Arguments) -> Result<(), Failure> {
    // From here on a signal is heard, also while PostgreSQL starts.
    let stop = Stop::listen()?;
    let opened = Opened::open(config, Purpose::Serve).await?;
    let served = serve(&opened.app, &arguments, stop).await;
    opened.close().await;
    served
}

async fn serve(app: &App, arguments: &Arguments, mut stop: Stop) -> Result<(), Failure> {
    if arguments.demo {
        tokio::select! {
            filled = example::fill(app) => filled?,
            () = stop.asked() => return Ok(()),
        }
    }
    let running = Running::start(app.clone())?;
    let password = first_user::create(app).await?;
    tell(app, running.address(), password.as_deref())?;
    let handle = running.handle();
    let stopping = async {
        stop.asked().await;
        handle.stop(true).await;
    };
    let serving = running.wait();
    tokio::pin!(serving);
    tokio::select! {
        served = &mut serving => served?,
        () = stopping => serving.await?,
    }
    Ok(())
}

fn tell(app: &App, address: SocketAddr, password: Option<&str>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let language = app.config.language;
    let at = language.choose("算账已启动：", "Suanzhang is at ");
    writeln!(out, "\n{at}http://{address}")?;
    match password {
        Some(password) => {
            let name = first_user::NAME;
            let (how, note) = language.choose(
                (
                    "登录：",
                    "此密码只显示这一次；`suanzhang user password admin` 可另设。",
                ),
                (
                    "sign in: ",
                    "This password is shown once; `suanzhang user password admin` sets another.",
                ),
            );
            writeln!(out, "{how}{name}  {password}\n{note}")?;
        }
        None => writeln!(
            out,
            "{}",
            language.choose(
                "忘记密码？`suanzhang user password 用户名` 可另设。",
                "Forgotten the password? `suanzhang user password NAME` sets another.",
            )
        )?,
    }
    let end = language.choose("按 Ctrl-C 停止。", "Ctrl-C stops it.");
    writeln!(out, "{end}\n")?;
    out.flush()
}

/// Ctrl-C, or SIGTERM as service managers and containers send it.
struct Stop {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

impl Stop {
    fn listen() -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    async fn asked(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}
