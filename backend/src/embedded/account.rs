//! As whom PostgreSQL runs: as ourselves, unless we are root; then as `postgres`, else as `nobody`.

use std::os::unix::fs::{MetadataExt as _, chown};
use std::path::Path;

use super::EmbeddedError;
use super::error::Act;

#[derive(Clone, Debug)]
pub struct Account {
    pub name: String,
    pub uid: u32,
    pub gid: u32,
    /// Is it another than ours? Then folders are handed over and the child changes to it.
    pub is_other: bool,
}

impl Account {
    /// # Errors
    /// We are root, and there is neither `postgres` nor `nobody`.
    pub fn of_server() -> Result<Self, EmbeddedError> {
        let (uid, gid) = (rustix::process::geteuid(), rustix::process::getegid());
        if !uid.is_root() {
            return Ok(Self {
                name: uid.as_raw().to_string(),
                uid: uid.as_raw(),
                gid: gid.as_raw(),
                is_other: false,
            });
        }
        let path = Path::new("/etc/passwd");
        let users = std::fs::read_to_string(path).map_err(EmbeddedError::io(Act::Read, path))?;
        ["postgres", "nobody"]
            .iter()
            .find_map(|name| Self::listed(&users, name))
            .ok_or(EmbeddedError::NoAccount)
    }

    fn listed(users: &str, name: &str) -> Option<Self> {
        let mut fields = users
            .lines()
            .map(|line| line.split(':'))
            .find_map(|mut fields| (fields.next() == Some(name)).then_some(fields))?;
        let uid = fields.nth(1)?.parse().ok()?;
        let gid = fields.next()?.parse().ok()?;
        Some(Self {
            name: name.to_owned(),
            uid,
            gid,
            is_other: true,
        })
    }

    /// Gives `path` to this account, when it is another than ours.
    ///
    /// # Errors
    /// The owner cannot be changed.
    pub fn own(&self, path: &Path) -> Result<(), EmbeddedError> {
        if self.is_other {
            chown(path, Some(self.uid), Some(self.gid))
                .map_err(EmbeddedError::io(Act::HandOver, path))?;
        }
        Ok(())
    }

    /// Can this account pass every folder above and including `folder`?
    ///
    /// # Errors
    /// Names the first folder it cannot pass.
    pub fn can_pass(&self, folder: &Path) -> Result<(), EmbeddedError> {
        let mut folders: Vec<&Path> = folder.ancestors().collect();
        folders.reverse();
        for folder in folders {
            let about = std::fs::metadata(folder).map_err(EmbeddedError::io(Act::Read, folder))?;
            let passes = if about.uid() == self.uid {
                about.mode() & 0o100
            } else if about.gid() == self.gid {
                about.mode() & 0o010
            } else {
                about.mode() & 0o001
            };
            if passes == 0 {
                return Err(EmbeddedError::NotPassable {
                    folder: folder.to_owned(),
                    user: self.name.clone(),
                });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Account;

    #[test]
    fn a_listed_user_is_found_by_its_whole_name() {
        let users =
            "root:x:0:0:root:/:/bin/sh\npostgres2:x:7:8::/:\npostgres:x:101:104:,,,:/v:/b\n";
        let found = Account::listed(users, "postgres").map(|user| (user.uid, user.gid));
        assert_eq!(found, Some((101, 104)));
        assert!(Account::listed(users, "nobody").is_none());
    }
}
