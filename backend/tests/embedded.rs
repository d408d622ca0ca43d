//! The embedded PostgreSQL: it starts, keeps its data, and ends whatever happens to us.

use crate::support;

#[tokio::test]
async fn each_test_has_a_migrated_database_of_its_own() {
    let (one, other) = (support::database().await, support::database().await);
    assert_ne!(one.url, other.url);
    let pool = one.app.db.get_postgres_connection_pool();
    let applied: i64 = sqlx::query_scalar("SELECT count(*) FROM seaql_migrations")
        .fetch_one(pool)
        .await
        .unwrap();
    assert!(applied >= 3);
}
