//! Who is signed in, and how often somebody has tried to. Tokens are stored hashed; attempts are counted before the
//! password is looked at, so that guesses in parallel do not slip through.

use std::net::IpAddr;

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

/// What attempts to sign in are counted by, and how many it may have in [`WINDOW`].
#[derive(Clone, Debug)]
pub struct Subject {
    name: String,
    limit: i32,
    /// A success makes up for every attempt before it, not only for itself.
    is_forgiven: bool,
}

impl Subject {
    /// Ten guesses at an account from one address, so that a stranger elsewhere does not lock its owner out; a hundred
    /// at an account from anywhere; a hundred from an address, behind which a whole office may stand. Names nobody has
    /// are counted alike, so that a lock-out does not tell which users exist.
    #[must_use]
    pub fn of(account: &str, address: Option<IpAddr>) -> Vec<Self> {
        let account: String = account.chars().take(200).collect();
        let subject = |name: String, limit, is_forgiven| Self {
            name,
            limit,
            is_forgiven,
        };
        let place = address.map_or_else(|| "?".to_owned(), |address| address.to_string());
        let mut subjects = vec![
            subject(format!("name:{account}@{place}"), 10, true),
            subject(format!("name:{account}"), 100, true),
        ];
        subjects.extend(address.map(|_| subject(format!("address:{place}"), 100, false)));
        subjects
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

/// Forgets the attempts at an account that has signed in. Of its address only this one is taken back: a known password
/// must not buy more guesses at others.
///
/// # Errors
/// The database fails.
pub async fn forgive(db: &DatabaseConnection, subjects: &[Subject]) -> Result<(), StoreError> {
    let named = |is_forgiven: bool| -> Vec<&str> {
        let of_kind = subjects.iter().filter(|s| s.is_forgiven == is_forgiven);
        of_kind.map(|subject| subject.name.as_str()).collect()
    };
    let pool = db.get_postgres_connection_pool();
    sqlx::query("DELETE FROM sign_in_attempts WHERE subject = ANY($1)")
        .bind(named(true))
        .execute(pool)
        .await?;
    sqlx::query("UPDATE sign_in_attempts SET attempts = attempts - 1 WHERE subject = ANY($1)")
        .bind(named(false))
        .execute(pool)
        .await?;
    Ok(())
}
