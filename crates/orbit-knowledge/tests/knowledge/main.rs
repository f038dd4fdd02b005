//! Every rule, limit, default, order and error code of tasks and knowledge, through the tools that clients call.
#![expect(clippy::unwrap_used, reason = "what a test builds its scene from must be there")]

mod atoms;
mod changelog;
mod concurrency;
mod containers;
mod context;
mod dependencies;
mod markdown;
mod markdown_work;
mod molecules;
mod moves;
mod queue;
mod reservations;
mod scene;
mod sections;
mod shapes;
mod store;
mod subtasks;
