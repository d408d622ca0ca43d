//! Who owns a data folder: the file `DATA/lock`, locked as long as its owner lives (the kernel lets go of it when a
//! process ends, however it ends), with the owner's process and purpose written inside for others to read.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use super::EmbeddedError;
use super::error::Act;

/// A command waits so long for another command that owns the folder.
const BUSY_WAIT: Duration = Duration::from_secs(600);
const PAUSE: Duration = Duration::from_millis(100);

/// What the folder is opened for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// `suanzhang serve`: owns the folder for long, and commands join it.
    Serve,
    /// A command, by its name: owns the folder briefly.
    Command(String),
}

impl Purpose {
    fn name(&self) -> &str {
        match self {
            Self::Serve => "serve",
            Self::Command(name) => name,
        }
    }
}

/// The folder is ours until this is dropped.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

pub enum Holder {
    Us(Lock),
    /// A running server, which commands join.
    Server {
        pid: u32,
    },
}

impl Lock {
    /// Takes the folder; a command joins a server that has it, and both wait for a command that has it.
    ///
    /// # Errors
    /// Another server has it, or another command for longer than ten minutes.
    pub fn take(folder: &Path, purpose: &Purpose) -> Result<Holder, EmbeddedError> {
        let path = folder.join("lock");
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(EmbeddedError::io(Act::Open, &path))?;
        let begun = Instant::now();
        let mut said = false;
        loop {
            match file.try_lock() {
                Ok(()) => {
                    sign(&mut file, purpose).map_err(EmbeddedError::io(Act::Write, &path))?;
                    return Ok(Holder::Us(Self { _file: file }));
                }
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => {
                    return Err(EmbeddedError::io(Act::Lock, &path)(error));
                }
            }
            let holder = holder(&mut file).map_err(EmbeddedError::io(Act::Read, &path))?;
            if let Some((pid, command)) = holder {
                if command == Purpose::Serve.name() {
                    return match purpose {
                        Purpose::Serve => Err(EmbeddedError::AlreadyServing {
                            folder: folder.to_owned(),
                            pid,
                        }),
                        Purpose::Command(_) => Ok(Holder::Server { pid }),
                    };
                }
                if begun.elapsed() > BUSY_WAIT {
                    return Err(EmbeddedError::Busy {
                        folder: folder.to_owned(),
                        command,
                        pid,
                    });
                }
                if !said && begun.elapsed() > Duration::from_secs(1) {
                    tracing::info!("waiting for `suanzhang {command}` (process {pid}) to finish");
                    said = true;
                }
            }
            std::thread::sleep(PAUSE);
        }
    }
}

fn sign(file: &mut File, purpose: &Purpose) -> std::io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "{} {}", std::process::id(), purpose.name())?;
    file.flush()
}

/// Who wrote the file; `None` while its owner has not written yet.
fn holder(file: &mut File) -> std::io::Result<Option<(u32, String)>> {
    let mut text = String::new();
    file.rewind()?;
    file.read_to_string(&mut text)?;
    let signature = text
        .strip_suffix('\n')
        .and_then(|line| line.split_once(' '));
    Ok(signature.and_then(|(pid, name)| Some((pid.parse().ok()?, name.to_owned()))))
}
