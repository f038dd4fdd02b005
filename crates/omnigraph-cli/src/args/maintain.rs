//! Keeping a graph: its schema, its speed, its size.

use super::Place;
use clap::Args as ClapArgs;
use clap::builder::NonEmptyStringValueParser;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, ClapArgs)]
pub(crate) struct SchemaPlanArgs {
    /// The schema that the branch shall have
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: PathBuf,
    /// The branch [default: `cli.branch` of omnigraph.yaml, or main]
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) branch: Option<String>,
    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SchemaApplyArgs {
    #[command(flatten)]
    pub(crate) plan: SchemaPlanArgs,
    /// Drop types with rows and properties with values; older commits still have them
    #[arg(long)]
    pub(crate) allow_drop: bool,
    /// The same, and take the values out of the files of the newest commit
    #[arg(long)]
    pub(crate) allow_data_loss: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CloneArgs {
    /// Where the copy is, or shall be: a path, `file://…` or `s3://bucket/prefix`
    #[arg(long, value_name = "PLACE", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) to: String,
    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct OptimizeArgs {
    /// The branch [default: `cli.branch` of omnigraph.yaml, or main]
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) branch: Option<String>,
    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CleanupArgs {
    /// Keep the newest N commits of every branch
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), required_unless_present = "older_than")]
    pub(crate) keep: Option<u32>,
    /// Keep commits that are younger than this: `90m`, `12h`, `7d`, `4w`
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub(crate) older_than: Option<Duration>,
    /// Keep files that were written, or stopped being needed, less than this ago: no write or read takes longer
    #[arg(long, value_name = "DURATION", value_parser = duration, default_value = "1d")]
    pub(crate) grace: Duration,
    /// Remove; without it, only say what would be removed
    #[arg(long)]
    pub(crate) confirm: bool,
    #[command(flatten)]
    pub(crate) place: Place,
}

/// A number and one of `s`, `m`, `h`, `d`, `w`.
fn duration(text: &str) -> Result<Duration, String> {
    let bad = || format!("`{text}` is not a valid duration; write a number and s, m, h, d or w, such as 7d");
    let unit = text.chars().last().ok_or_else(bad)?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 60 * 60,
        'd' => 24 * 60 * 60,
        'w' => 7 * 24 * 60 * 60,
        _ => return Err(bad()),
    };
    let number: u64 = text[..text.len() - unit.len_utf8()].parse().map_err(|_| bad())?;
    number.checked_mul(seconds).map(Duration::from_secs).ok_or_else(bad)
}

#[cfg(test)]
mod tests {
    use super::duration;

    #[test]
    fn durations() {
        assert_eq!(duration("90m").map(|time| time.as_secs()), Ok(5400));
        assert_eq!(duration("2w").map(|time| time.as_secs()), Ok(14 * 86400));
        for text in
            ["", "7", "d", "7y", "-1d", "1.5h", "7日", "99999999999999999999w", "18446744073709551615w"]
        {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
