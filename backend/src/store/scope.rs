//! Whose rows a read may return. Roles are enforced here, once, for page, API, export and e-mail: a read without a
//! scope does not exist, and a scope is made only by the operator's command line or from somebody who signed in.

/// The rows a read may return.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Everything.
    Company,
    /// What the projects of this team bear.
    Team(String),
    /// What these projects bear; none at all when the list is empty.
    Projects(Vec<String>),
}

impl Scope {
    /// Who can run a command on the server's own data folder or database can read all of it anyway.
    #[must_use]
    pub const fn operator() -> Self {
        Self::Company
    }
}
