//! The tools on projects, features and tasks.

use super::request;
use crate::change::Change;
use crate::wire::lenient::{Flag, List, Number};
use serde::Deserialize;
use serde::de::IgnoredAny;

request! {
    /// `manage_container`: making, changing and deleting projects, features and tasks.
    ManageContainer {
        /// `create`, `update`, `delete`, `comment`, `uncomment`.
        operation: String,
        /// `project`, `feature`, `task`.
        container_type: String,
        /// For all but create.
        id: Option<String>,
        /// For update and delete.
        version: Option<Number>,
        /// Of a project or feature.
        name: Option<String>,
        /// Of a task.
        title: Option<String>,
        /// In short.
        summary: Option<String>,
        /// At length; `null` removes it.
        description: Change,
        /// `HIGH`, `MEDIUM`, `LOW`; for features and tasks.
        priority: Option<String>,
        /// 1 to 10; for tasks.
        complexity: Option<Number>,
        /// The board; `null` takes it off.
        project_id: Change,
        /// Of a task; `null` takes it out.
        feature_id: Change,
        /// The task that a subtask is a part of; `null` takes it out.
        parent_id: Change,
        /// All tags; an empty list removes them.
        tags: Option<List>,
        /// Everything it relates to; an empty list removes them.
        related_to: Option<List>,
        /// Everything in which it came up; an empty list removes them.
        discovered_from: Option<List>,
        /// For comment: what is said. For uncomment: the id of what was said.
        comment: Option<String>,
        /// Refused: states are changed by advance, revert and terminate.
        status: Option<IgnoredAny>,
        /// For delete: children too.
        cascade: Option<Flag>,
        /// Who asks; what somebody else holds is refused.
        actor: Option<String>,
        /// In spite of somebody else's claim; kept with the moves.
        force: Option<Flag>,
    }
}

request! {
    /// `query_container`: reading projects, features and tasks.
    QueryContainer {
        /// `get`, `search`, `overview`.
        operation: String,
        /// `project`, `feature`, `task`.
        container_type: String,
        /// For get and overview.
        id: Option<String>,
        /// Text in name, summary or description.
        query: Option<String>,
        /// States, `!` before one excludes it.
        status: Option<List>,
        /// Priorities, `!` before one excludes it.
        priority: Option<List>,
        /// Any of these tags, `!` before one excludes it.
        tags: Option<List>,
        /// Only of this board.
        project_id: Option<String>,
        /// Only of this feature.
        feature_id: Option<String>,
        /// Rows of a page; 20 unless told.
        limit: Option<Number>,
        /// Rows left out before it.
        offset: Option<Number>,
        /// For get: the sections too.
        include_sections: Option<Flag>,
        /// For get: what was said, too.
        include_comments: Option<Flag>,
        /// For get of a task: what is known about its Context Files.
        include_graph_context: Option<Flag>,
    }
}

request! {
    /// `advance`, `revert`, `terminate`, `reopen`: moving a feature or task.
    Transit {
        /// `feature`, `task`.
        container_type: String,
        /// The id of what is meant.
        id: String,
        /// As the caller knows it.
        version: Option<Number>,
        /// Who asks; kept with the move.
        actor: Option<String>,
        /// Why; kept with the move.
        reason: Option<String>,
        /// For terminating a feature: its open tasks too.
        cascade: Option<Flag>,
        /// In spite of somebody else's claim; kept with the moves.
        force: Option<Flag>,
    }
}

request! {
    /// `block`, `unblock`.
    Blocking {
        /// `feature`, `task`.
        container_type: String,
        /// The id of what is meant.
        id: String,
        /// As the caller knows it.
        version: Option<Number>,
        /// Ids of features and tasks, or `NO_OP`.
        blocked_by: Option<List>,
        /// Why; needed with `NO_OP`.
        blocked_reason: Option<String>,
    }
}

request! {
    /// `manage_dependency`: links between features and tasks.
    ManageDependency {
        /// `create`, `delete`.
        operation: String,
        /// The one that blocks.
        from_id: String,
        /// The one that waits.
        to_id: String,
        /// `BLOCKS` unless told, or `RELATES_TO`, `DISCOVERED_FROM`.
        r#type: Option<String>,
        /// Of the one that waits; compared when given.
        version: Option<Number>,
    }
}

request! {
    /// `query_dependencies`.
    QueryDependencies {
        /// `feature`, `task`.
        container_type: String,
        /// The id of what is meant.
        id: String,
        /// `dependencies`, `dependents`, or `both` unless told.
        direction: Option<String>,
    }
}

request! {
    /// `get_next_task`, `get_next_feature`, `get_blocked_tasks`, `get_blocked_features`.
    Queue {
        /// Only of this board.
        project_id: Option<String>,
        /// Only of this feature; for tasks.
        feature_id: Option<String>,
        /// Only of this priority.
        priority: Option<String>,
        /// Take it: nobody else gets it while the lease lasts. For `get_next_*`.
        claim: Option<Flag>,
        /// Who takes it; needed with claim.
        actor: Option<String>,
        /// How long the lease lasts; 900 unless told.
        ttl_seconds: Option<Number>,
        /// Rows of a page; 20 unless told. For `get_blocked_*`; given with `get_next_task`, all that are ready come along.
        limit: Option<Number>,
        /// Rows left out before it.
        offset: Option<Number>,
    }
}

request! {
    /// `query_workflow_state`.
    QueryWorkflowState {
        /// `feature`, `task`.
        container_type: String,
        /// The id of what is meant.
        id: String,
        /// How many moves come along; 20 unless told.
        limit: Option<Number>,
    }
}

request! {
    /// `manage_reservation`: paths that a task has for itself.
    ManageReservation {
        /// `reserve`, `release`, `list`.
        operation: String,
        /// The holder; for reserve and release, or to list only its own.
        task_id: Option<String>,
        /// Paths or globs. None releases all of the task's; with list, what overlaps these.
        paths: Option<List>,
        /// Who works on the task; for reserve and release.
        actor: Option<String>,
        /// How long the claim lasts; 900 unless told.
        ttl_seconds: Option<Number>,
        /// For release: in spite of somebody else's claim; kept with the moves.
        force: Option<Flag>,
    }
}

request! {
    /// `manage_claim`: taking a chosen feature or task, giving it back, what an actor has in hand.
    ManageClaim {
        /// `claim`, `release`, `mine`.
        operation: String,
        /// `feature`, or `task` unless told.
        container_type: Option<String>,
        /// For claim and release.
        id: Option<String>,
        /// Who takes it, gives it back or asks.
        actor: Option<String>,
        /// How long the lease lasts; 900 unless told.
        ttl_seconds: Option<Number>,
        /// In spite of somebody else's claim; kept with the moves.
        force: Option<Flag>,
        /// For mine: how many that were moved before; 20 unless told.
        limit: Option<Number>,
    }
}
