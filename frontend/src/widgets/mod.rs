//! Parts that several pages show.

pub mod amount;
pub mod compared;
pub mod menu;
pub mod no_cost;
pub mod rail;
pub mod scope_menu;
pub mod state;
pub mod time_menus;
pub mod top_bar;
