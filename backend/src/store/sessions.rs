//! Who is signed in, and how often somebody has tried to. Tokens are stored hashed; attempts are counted before the
//! password is looked at, so that guesses in parallel do not slip through.

use chrono::{DateTime, Duration, Utc};
use sea_orm::DatabaseConnection;

use super::StoreError;
use super::users::{Row, User};

/// Attempts count for so long after the first of them.
pub const WINDOW: Duration = Duration::minutes(15);

/// Notes that `user` is signed in until `expires_at`, and forgets the sessions that have expired.
///
/// # Errors
/// The database fails.
pub async fn open(
    db: &DatabaseConnection,
    token_hash: &[u8],
    user: &str,
    now: DateTime<Utc>,
    expires_at: DateTime<Utc>,
) -> Result<(), StoreError> {
    let pool = db.get_postgres_connection_pool();
    sqlx::query("DELETE FROM sessions WHERE expires_at <= $1")
        .bind(now)
        .execute(pool)
        .await?;
    sqlx::query(
        "INSERT INTO sessions (token_hash, user_name, created_at, expires_at)
         VALUES ($1, $2, $3, $4)",
    )
    .bind(token_hash)
    .bind(user)
    .bind(now)
    .bind(expires_at)
    .execute(pool)
    .await?;
    Ok(())
}

/// Who is signed in with this token, and until when; `None` when nobody is.
///
/// # Errors
/// The database fails, or the row cannot be read.
pub async fn find(
    db: &DatabaseConnection,
    token_hash: &[u8],
    now: DateTime<Utc>,
) -> Result<Option<(User, DateTime<Utc>)>, StoreError> {
    type Found = (
        String,
        String,
        Option<String>,
        Vec<String>,
        DateTime<Utc>,
        Option<DateTime<Utc>>,
        DateTime<Utc>,
    );
    let found: Option<Found> = sqlx::query_as(
        "SELECT u.name, u.role, u.team, u.projects, u.created_at, u.disabled_at, s.expires_at
         FROM sessions s JOIN users u ON u.name = s.user_name
         WHERE s.token_hash = $1 AND s.expires_at > $2 AND u.disabled_at IS NULL",
    )
    .bind(token_hash)
    .bind(now)
    .fetch_optional(db.get_postgres_connection_pool())
    .await?;
    let Some((name, role, team, projects, created_at, disabled_at, expires_at)) = found else {
        return Ok(None);
    };
    let row: Row = (name, role, team, projects, created_at, disabled_at);
    Ok(Some((User::try_from(row)?, expires_at)))
}

/// Ends a session; nothing happens when there is none.
///
/// # Errors
/// The database fails.
pub async fn close(db: &DatabaseConnection, token_hash: &[u8]) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM sessions WHERE token_hash = $1")
        .bind(token_hash)
        .execute(db.get_postgres_connection_pool())
        .await?;
    Ok(())
}

/// An account or an address that tries to sign in, and how many attempts it has in [`WINDOW`].
#[derive(Clone, Debug)]
pub struct Subject {
    name: String,
    limit: i32,
}

impl Subject {
    /// An account; names nobody has are counted alike, so that a lock-out does not tell which users exist.
    #[must_use]
    pub fn account(name: &str) -> Self {
        let name: String = name.chars().take(200).collect();
        Self {
            name: format!("name:{name}"),
            limit: 10,
        }
    }

    /// An address; a whole office may stand behind one.
    #[must_use]
    pub fn address(address: std::net::IpAddr) -> Self {
        Self {
            name: format!("address:{address}"),
            limit: 100,
        }
    }
}

/// Counts an attempt; answers until when the subject is locked out, or `None` when it may try.
///
/// # Errors
/// The database fails.
pub async fn attempt(
    db: &DatabaseConnection,
    subject: &Subject,
    now: DateTime<Utc>,
) -> Result<Option<DateTime<Utc>>, StoreError> {
    let pool = db.get_postgres_connection_pool();
    let begin = now - WINDOW;
    sqlx::query("DELETE FROM sign_in_attempts WHERE first_at <= $1")
        .bind(begin)
        .execute(pool)
        .await?;
    let (attempts, first_at): (i32, DateTime<Utc>) = sqlx::query_as(
        "INSERT INTO sign_in_attempts (subject, attempts, first_at) VALUES ($1, 1, $2)
         ON CONFLICT (subject) DO UPDATE
         SET attempts = least(sign_in_attempts.attempts, 1000000) + 1
         RETURNING attempts, first_at",
    )
    .bind(&subject.name)
    .bind(now)
    .fetch_one(pool)
    .await?;
    Ok((attempts > subject.limit).then(|| first_at + WINDOW))
}

/// Forgets the attempts of an account that has signed in. Those of its address stay: a known password must not buy
/// more guesses at others.
///
/// # Errors
/// The database fails.
pub async fn forgive(db: &DatabaseConnection, account: &Subject) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM sign_in_attempts WHERE subject = $1")
        .bind(&account.name)
        .execute(db.get_postgres_connection_pool())
        .await?;
    Ok(())
}
