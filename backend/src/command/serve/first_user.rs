//! The first user of a new installation: somebody must be able to sign in and add the others.

use api::session::Role;

use crate::app::App;
use crate::command::Failure;
use crate::password;
use crate::store::users::{self, User};

pub const NAME: &str = "admin";

/// Creates `admin` where there is nobody yet, and gives the password, which is kept nowhere else.
pub async fn create(app: &App) -> Result<Option<String>, Failure> {
    if !users::is_empty(&app.db).await? {
        return Ok(None);
    }
    let password = password::random()?;
    let hashed = password.clone();
    let hash = tokio::task::spawn_blocking(move || password::hash(&hashed))
        .await
        .map_err(|_| Failure::interrupted())??;
    let admin = User {
        name: NAME.to_owned(),
        role: Role::Admin,
        team: None,
        projects: Vec::new(),
        created_at: app.clock.now(),
        disabled_at: None,
    };
    let added = users::add_first(&app.db, &admin, &hash).await?;
    Ok(added.then_some(password))
}
