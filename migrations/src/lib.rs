//! The schema, in order. Each migration is plain SQL up and down; `schema.sql` is their sum, held to it by a test.

use sea_orm_migration::prelude::*;

mod m0001_facts;
mod m0002_books;
mod m0003_users;

pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(m0001_facts::Migration),
            Box::new(m0002_books::Migration),
            Box::new(m0003_users::Migration),
        ]
    }
}
