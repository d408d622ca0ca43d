//! Who may sign in, and how their roles become a [`Scope`](super::scope::Scope).

use api::session::Role;
use chrono::{DateTime, Utc};
use sea_orm::DatabaseConnection;

use super::StoreError;

/// Somebody who may sign in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    pub name: String,
    pub role: Role,
    /// The team of a lead; `None` for everybody else.
    pub team: Option<String>,
    /// The projects of a member; empty for everybody else.
    pub projects: Vec<String>,
    pub created_at: DateTime<Utc>,
    pub disabled_at: Option<DateTime<Utc>>,
}

/// A user's columns, in the order of every query here and in `sessions`.
pub(super) type Row = (
    String,
    String,
    Option<String>,
    Vec<String>,
    DateTime<Utc>,
    Option<DateTime<Utc>>,
);

impl TryFrom<Row> for User {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        let (name, role, team, projects, created_at, disabled_at) = row;
        let Some(role) = role_named(&role) else {
            return Err(StoreError::Unreadable(format!(
                "user {name} has the unknown role {role}"
            )));
        };
        Ok(Self {
            name,
            role,
            team,
            projects,
            created_at,
            disabled_at,
        })
    }
}

/// The roles and the names they are stored and given under.
pub static ROLES: &[(&str, Role)] = &[
    ("admin", Role::Admin),
    ("finance", Role::Finance),
    ("viewer", Role::Viewer),
    ("lead", Role::Lead),
    ("member", Role::Member),
];

#[must_use]
pub fn role_named(name: &str) -> Option<Role> {
    let found = ROLES.iter().find(|(known, _)| *known == name);
    found.map(|(_, role)| *role)
}

#[must_use]
pub fn name_of(role: Role) -> &'static str {
    let found = ROLES.iter().find(|(_, known)| *known == role);
    found.map_or("", |(name, _)| *name)
}

/// Adds a user; `false` when the name is taken.
///
/// # Errors
/// The database fails.
pub async fn add(
    db: &DatabaseConnection,
    user: &User,
    password_hash: &str,
) -> Result<bool, StoreError> {
    let added = sqlx::query(
        "INSERT INTO users (name, role, team, projects, created_at, password_hash)
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (name) DO NOTHING",
    )
    .bind(&user.name)
    .bind(name_of(user.role))
    .bind(&user.team)
    .bind(&user.projects)
    .bind(user.created_at)
    .bind(password_hash)
    .execute(db.get_postgres_connection_pool())
    .await?;
    Ok(added.rows_affected() == 1)
}

/// Adds the first user of all; `false` when there is any already, also when another server was faster.
///
/// # Errors
/// The database fails.
pub async fn add_first(
    db: &DatabaseConnection,
    user: &User,
    password_hash: &str,
) -> Result<bool, StoreError> {
    let added = sqlx::query(
        "INSERT INTO users (name, role, created_at, password_hash)
         SELECT $1, $2, $3, $4 WHERE NOT EXISTS (SELECT FROM users)
         ON CONFLICT (name) DO NOTHING",
    )
    .bind(&user.name)
    .bind(name_of(user.role))
    .bind(user.created_at)
    .bind(password_hash)
    .execute(db.get_postgres_connection_pool())
    .await?;
    Ok(added.rows_affected() == 1)
}

/// Is there anybody who may sign in at all, or was there ever?
///
/// # Errors
/// The database fails.
pub async fn is_empty(db: &DatabaseConnection) -> Result<bool, StoreError> {
    let found: bool = sqlx::query_scalar("SELECT NOT EXISTS (SELECT FROM users)")
        .fetch_one(db.get_postgres_connection_pool())
        .await?;
    Ok(found)
}

/// Everybody, by name.
///
/// # Errors
/// The database fails, or a row cannot be read.
pub async fn list(db: &DatabaseConnection) -> Result<Vec<User>, StoreError> {
    let rows: Vec<Row> = sqlx::query_as(
        "SELECT name, role, team, projects, created_at, disabled_at FROM users ORDER BY name",
    )
    .fetch_all(db.get_postgres_connection_pool())
    .await?;
    rows.into_iter().map(User::try_from).collect()
}

/// The password hash of somebody who may sign in; `None` for the unknown and the disabled.
///
/// # Errors
/// The database fails.
pub async fn password_hash(
    db: &DatabaseConnection,
    name: &str,
) -> Result<Option<String>, StoreError> {
    let found = sqlx::query_scalar(
        "SELECT password_hash FROM users WHERE name = $1 AND disabled_at IS NULL",
    )
    .bind(name)
    .fetch_optional(db.get_postgres_connection_pool())
    .await?;
    Ok(found)
}

/// Gives a user a new password, lets them in again if they were disabled or locked out, and ends what was signed in
/// with the old one; `false` when there is no such user.
///
/// # Errors
/// The database fails; then nothing is changed.
pub async fn set_password(
    db: &DatabaseConnection,
    name: &str,
    password_hash: &str,
) -> Result<bool, StoreError> {
    let mut transaction = db.get_postgres_connection_pool().begin().await?;
    let changed =
        sqlx::query("UPDATE users SET password_hash = $2, disabled_at = NULL WHERE name = $1")
            .bind(name)
            .bind(password_hash)
            .execute(&mut *transaction)
            .await?;
    sqlx::query("DELETE FROM sessions WHERE user_name = $1")
        .bind(name)
        .execute(&mut *transaction)
        .await?;
    sqlx::query(
        "DELETE FROM sign_in_attempts WHERE subject = 'name:' || $1 OR starts_with(subject, 'name:' || $1 || '@')",
    )
        .bind(name)
        .execute(&mut *transaction)
        .await?;
    transaction.commit().await?;
    Ok(changed.rows_affected() == 1)
}

/// Whether `name` is the only admin who may sign in.
///
/// # Errors
/// The database fails.
pub async fn is_last_admin(db: &DatabaseConnection, name: &str) -> Result<bool, StoreError> {
    let is_last: bool = sqlx::query_scalar(
        "SELECT count(*) FILTER (WHERE name = $1) = 1 AND count(*) = 1 FROM users
         WHERE role = 'admin' AND disabled_at IS NULL",
    )
    .bind(name)
    .fetch_one(db.get_postgres_connection_pool())
    .await?;
    Ok(is_last)
}

/// Those of a user's team and projects that no fact names (yet).
///
/// # Errors
/// The database fails.
pub async fn unknown_scope(
    db: &DatabaseConnection,
    user: &User,
) -> Result<Vec<String>, StoreError> {
    let unknown = sqlx::query_scalar(
        "SELECT n.name FROM (SELECT $1::text AS name, 'team' AS kind UNION ALL SELECT unnest($2::text[]), 'project') n
         WHERE n.name IS NOT NULL AND CASE n.kind
            WHEN 'team' THEN NOT EXISTS (SELECT FROM teams t WHERE t.team = n.name)
            ELSE NOT EXISTS (SELECT FROM projects p WHERE p.project = n.name) END ORDER BY 1",
    )
    .bind(&user.team)
    .bind(&user.projects)
    .fetch_all(db.get_postgres_connection_pool())
    .await?;
    Ok(unknown)
}

/// Shuts a user out from `at` on, also where they are signed in; `false` when there is no such user.
///
/// # Errors
/// The database fails; then nothing is changed.
pub async fn disable(
    db: &DatabaseConnection,
    name: &str,
    at: DateTime<Utc>,
) -> Result<bool, StoreError> {
    let mut transaction = db.get_postgres_connection_pool().begin().await?;
    let changed =
        sqlx::query("UPDATE users SET disabled_at = coalesce(disabled_at, $2) WHERE name = $1")
            .bind(name)
            .bind(at)
            .execute(&mut *transaction)
            .await?;
    sqlx::query("DELETE FROM sessions WHERE user_name = $1")
        .bind(name)
        .execute(&mut *transaction)
        .await?;
    transaction.commit().await?;
    Ok(changed.rows_affected() == 1)
}
