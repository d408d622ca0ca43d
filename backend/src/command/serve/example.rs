//! Filling an empty database with the example company, through the same doors as real facts.

use std::io::{self, Write as _};

use api::Language;

use crate::app::App;
use crate::command::Failure;
use crate::facts::{self, Options, Settings};
use crate::store::{imports, settings};
use crate::tasks::account::{Request, account};
use crate::tasks::roll_up::roll_up;

/// Imports the example's facts where no file was ever imported, and goes on where an earlier start was broken off.
pub async fn fill(app: &App) -> Result<(), Failure> {
    let db = app.db.get_postgres_connection_pool();
    let example = settings::example(&app.db).await?;
    let is_due = match example {
        settings::Example::Filling => true,
        settings::Example::Filled => false,
        settings::Example::No => imports::is_empty(db).await?,
    };
    if !is_due {
        return Ok(());
    }
    let folder = app.config.example_dir.join("facts");
    if !folder.is_dir() {
        return Err(
            Failure::new(
                format!("没有文件夹 {}", folder.display()),
                format!("there is no folder {}", folder.display()),
            )
            .advise(
                "SUANZHANG_EXAMPLE_DIR 指向示例公司的文件夹；不用 --demo 则不需要",
                "SUANZHANG_EXAMPLE_DIR names the folder of the example company; without --demo none is needed",
            ),
        );
    }
    let language = app.config.language;
    say(language.choose(
        "空数据库：正在导入示例公司…",
        "The database is empty: importing the example company …",
    ))?;
    settings::set_example(&app.db, settings::Example::Filling).await?;
    let settings = Settings {
        zone: app.config.ledger.zone,
        currency: app.config.ledger.currency.clone(),
        by: "example".to_owned(),
    };
    let report = facts::import(db, &settings, &[folder], &Options::default(), &mut |_| {}).await?;
    let rejected = report.rejected_files();
    if rejected > 0 || report.rejected_rows() > 0 {
        let rows = report.rejected_rows();
        return Err(Failure::new(
            format!("示例公司没有完整导入：拒收 {rejected} 个文件、{rows} 行"),
            format!(
                "the example company was not taken whole: {rejected} files and {rows} rows rejected"
            ),
        )
        .advise(
            "用 `suanzhang import` 导入它的文件夹可看到原因",
            "`suanzhang import` on its folder says why",
        ));
    }
    roll_up(db, &mut |_, _| {}).await?;
    let request = Request {
        from: None,
        to: None,
        settings: accounting::ledger::Settings {
            zone: app.config.ledger.zone,
            currency: app.config.ledger.currency.clone(),
        },
        now: app.clock.now(),
    };
    let books = account(db, &request, &mut |_, _| {}).await?;
    say(&match language {
        Language::Chinese => format!("已记账 {} 天。", books.days),
        Language::English => format!("{} days are accounted.", books.days),
    })?;
    settings::set_example(&app.db, settings::Example::Filled).await?;
    Ok(())
}

fn say(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}
