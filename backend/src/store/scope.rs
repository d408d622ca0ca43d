//! Whose rows a read may return. Roles are enforced here, once, for page, API, export and e-mail: a read without a
//! scope does not exist, and a scope is made only by the operator's command line or from somebody who signed in.

use api::session::Role;

use super::users::User;

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

    /// What a user's role lets them see.
    #[must_use]
    pub fn of(user: &User) -> Self {
        match user.role {
            Role::Admin | Role::Finance | Role::Viewer => Self::Company,
            Role::Lead => match &user.team {
                Some(team) => Self::Team(team.clone()),
                None => Self::Projects(Vec::new()),
            },
            Role::Member => Self::Projects(user.projects.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Role, Scope, User};

    fn scope(role: Role, team: Option<&str>, projects: &[&str]) -> Scope {
        Scope::of(&User {
            name: "x".to_owned(),
            role,
            team: team.map(str::to_owned),
            projects: projects
                .iter()
                .map(|project| (*project).to_owned())
                .collect(),
            created_at: chrono::DateTime::UNIX_EPOCH,
            disabled_at: None,
        })
    }

    #[test]
    fn a_role_sees_its_part_and_a_role_without_a_part_sees_nothing() {
        assert_eq!(scope(Role::Viewer, None, &[]), Scope::Company);
        assert_eq!(
            scope(Role::Lead, Some("nlp"), &[]),
            Scope::Team("nlp".to_owned())
        );
        assert_eq!(scope(Role::Lead, None, &[]), Scope::Projects(Vec::new()));
        let own = Scope::Projects(vec!["chat".to_owned()]);
        assert_eq!(scope(Role::Member, Some("nlp"), &["chat"]), own);
    }
}
