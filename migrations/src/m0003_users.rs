//! Who may sign in, who is signed in, and what the installation remembers about itself.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

const UP: &str = "
CREATE TABLE users (
    name text PRIMARY KEY CHECK (name <> ''),
    role text NOT NULL CHECK (role IN ('admin', 'finance', 'viewer', 'lead', 'member')),
    -- A lead sees what the projects of this team bear.
    team text CHECK ((role = 'lead') = (team IS NOT NULL)),
    -- A member sees what these projects bear.
    projects text[] NOT NULL DEFAULT '{}' CHECK (role = 'member' OR projects = '{}'),
    -- Argon2id, in the PHC string format with its salt and parameters.
    password_hash text NOT NULL,
    created_at timestamptz NOT NULL,
    disabled_at timestamptz
);

CREATE TABLE sessions (
    -- SHA-256 of the token in the cookie: who reads this table cannot sign in with it.
    token_hash bytea PRIMARY KEY,
    user_name text NOT NULL REFERENCES users ON DELETE CASCADE,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX sessions_user_name ON sessions (user_name);
CREATE INDEX sessions_expires_at ON sessions (expires_at);

-- Attempts to sign in since the last success, by account ('name:…') and by address ('address:…').
CREATE TABLE sign_in_attempts (
    subject text PRIMARY KEY,
    attempts integer NOT NULL,
    first_at timestamptz NOT NULL
);
CREATE INDEX sign_in_attempts_first_at ON sign_in_attempts (first_at);

-- What the installation remembers about itself, such as that its data is the example company.
CREATE TABLE settings (
    key text PRIMARY KEY,
    value text NOT NULL
);
";

const DOWN: &str = "
DROP TABLE settings;
DROP TABLE sign_in_attempts;
DROP TABLE sessions;
DROP TABLE users;
";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .get_connection()
            .execute_unprepared(UP)
            .await
            .map(drop)
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .get_connection()
            .execute_unprepared(DOWN)
            .await
            .map(drop)
    }
}
