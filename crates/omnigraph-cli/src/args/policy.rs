//! Arguments about who may do what.

use clap::{Args as ClapArgs, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum PolicyCommand {
    /// Read the policy and say whether it holds
    #[command(
        after_help = "Examples:\n  omnigraph policy validate\n  omnigraph policy validate --policy policy.yaml"
    )]
    Validate(PolicyFile),
    /// Hold the policy against policy.tests.yaml beside it; exit code 1 if a case is decided otherwise
    #[command(
        after_help = "Examples:\n  omnigraph policy test\n  omnigraph policy test --policy policy.yaml --json"
    )]
    Test(PolicyFile),
    /// Say what the policy decides, and by which rule
    #[command(
        after_help = "Examples:\n  omnigraph policy explain --actor act-alice --action change --branch main\n  omnigraph policy explain --actor act-alice --action branch_merge --target-branch main\n  omnigraph policy explain --actor act-alice --action read --branch main --type Salary"
    )]
    Explain(PolicyAsk),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct PolicyFile {
    /// The policy [default: `policy.file` of omnigraph.yaml]
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct PolicyAsk {
    #[command(flatten)]
    pub(crate) file: PolicyFile,
    /// What they want to do: read, export, change, `schema_apply`, `branch_create`, `branch_delete`, `branch_merge`,
    /// `run_publish`, `run_abort` or admin
    #[arg(long)]
    pub(crate) action: String,
    /// The branch that is read or changed
    #[arg(long, value_name = "NAME")]
    pub(crate) branch: Option<String>,
    /// The branch that is made, taken away, merged into or migrated
    #[arg(long, value_name = "NAME")]
    pub(crate) target_branch: Option<String>,
    /// The node or edge type whose rows are read or changed
    #[arg(long = "type", value_name = "NAME")]
    pub(crate) type_name: Option<String>,
}
