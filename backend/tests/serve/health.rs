//! Data health over the API.

use api::health::Health;
use api::session::Role;
use backend::facts::{Options, Settings, import};

use super::Visitor;
use crate::facts::folder::Folder;
use crate::support;

#[tokio::test]
async fn it_names_what_was_refused_until_it_is_put_right() {
    let database = support::database().await;
    let app = &database.app;
    let visitor = Visitor::new(app, Role::Finance).await;
    let health: Health = visitor.get(app, "/api/v1/health").await.json();
    assert_eq!(health.database, "ok");
    assert_eq!((health.last_import, health.days_waiting), (None, 0));

    let settings = Settings {
        zone: app.config.ledger.zone,
        currency: app.config.ledger.currency.clone(),
        by: "test".to_owned(),
    };
    let bad = "team,name,cost_center,entity,valid_from,valid_to\nt1,T,,,never,\n";
    let good = "team,name,cost_center,entity,valid_from,valid_to\nt1,T,,,2026-01-01,\n";
    let mut folder = Folder::new();
    for (text, rejected) in [(bad, 1), (good, 0)] {
        folder = folder.file("teams.csv", text);
        let pool = app.db.get_postgres_connection_pool();
        import(
            pool,
            &settings,
            &[folder.path()],
            &Options::default(),
            &mut |_| {},
        )
        .await
        .unwrap();
        let health: Health = visitor.get(app, "/api/v1/health").await.json();
        assert_eq!(health.rejected_rows, rejected);
        assert!(health.last_import.unwrap().ends_with("+08:00"));
    }
}
