//! Commands of Go programs that are registered with cobra.

#![expect(clippy::too_many_lines, reason = "a fixture and its facts stay together")]

use crate::render::check;
use expect_test::expect;

#[test]
fn cobra_commands() {
    check(
        "cmd/root.go",
        r#"
package cmd

var rootCmd = &cobra.Command{Use: "app", Short: "does it all"}

func init() {
	rootCmd.AddCommand(taskCmd, newServeCmd())
	taskCmd.AddCommand(&cobra.Command{Use: "list", RunE: list}, importedCmd)
}

var taskCmd = &cobra.Command{
	Use: "task [flags]",
	Run: func(cmd *cobra.Command, args []string) { doTask(cmd) },
}

func newServeCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "serve <addr>", RunE: runServe}
	stop := &cobra.Command{Use: "stop", RunE: pkg.Stop}
	cmd.AddCommand(stop)
	cmd.AddCommand(&cobra.Command{Use: name, RunE: dynamic})
	return cmd
}
"#,
        &expect![[r#"
            package cmd
            symbol variable rootCmd 4-4 : <cobra.Command> | var rootCmd = &cobra.Command
            symbol function init 6-9 | func init()
            symbol variable taskCmd 11-14 : <cobra.Command> | var taskCmd = &cobra.Command
            symbol function newServeCmd 16-22 : <cobra.Command> | func newServeCmd() *cobra.Command
            ref value cobra @4 in rootCmd
            ref type cobra . Command @4 in rootCmd
            ref value <cobra.Command> . Use @4 in rootCmd
            ref value <cobra.Command> . Short @4 in rootCmd
            ref value rootCmd @7 in init
            ref call rootCmd . AddCommand @7 in init
            ref value taskCmd @7 in init
            ref call newServeCmd @7 in init
            ref value taskCmd @8 in init
            ref call taskCmd . AddCommand @8 in init
            ref value cobra @8 in init
            ref type cobra . Command @8 in init
            ref value <cobra.Command> . Use @8 in init
            ref value <cobra.Command> . RunE @8 in init
            ref value list @8 in init
            ref value importedCmd @8 in init
            ref value cobra @11 in taskCmd
            ref type cobra . Command @11 in taskCmd
            ref value <cobra.Command> . Use @12 in taskCmd
            ref value <cobra.Command> . Run @13 in taskCmd
            ref value cobra @13 in taskCmd
            ref type cobra . Command @13 in taskCmd
            ref call doTask @13 in taskCmd
            ref value cobra @16 in newServeCmd
            ref type cobra . Command @16 in newServeCmd
            ref value cobra @17 in newServeCmd
            ref type cobra . Command @17 in newServeCmd
            ref value <cobra.Command> . Use @17 in newServeCmd
            ref value <cobra.Command> . RunE @17 in newServeCmd
            ref value runServe @17 in newServeCmd
            ref value cobra @18 in newServeCmd
            ref type cobra . Command @18 in newServeCmd
            ref value <cobra.Command> . Use @18 in newServeCmd
            ref value <cobra.Command> . RunE @18 in newServeCmd
            ref value pkg @18 in newServeCmd
            ref value pkg . Stop @18 in newServeCmd
            ref call <cobra.Command> . AddCommand @19 in newServeCmd
            ref call <cobra.Command> . AddCommand @20 in newServeCmd
            ref value cobra @20 in newServeCmd
            ref type cobra . Command @20 in newServeCmd
            ref value <cobra.Command> . Use @20 in newServeCmd
            ref value name @20 in newServeCmd
            ref value <cobra.Command> . RunE @20 in newServeCmd
            ref value dynamic @20 in newServeCmd
            string "does it all" @4 in rootCmd
            string "task [flags]" @12 in taskCmd
            string "serve <addr>" @17 in newServeCmd
            command "app" -> - @4
            command "task list" -> list @8
            command "task" -> - runs 271..326 @11
            command "serve" -> runServe @17
            command "serve stop" -> pkg.Stop @18
        "#]],
    );
}

#[test]
fn cobra_commands_of_a_program_in_another_file() {
    check(
        "cmd/task.go",
        r#"
package cmd

var taskCmd = &cobra.Command{Use: "task", RunE: runTask}
var updateCmd = &cobra.Command{Use: "update ID", RunE: runUpdate}

func init() {
	taskCmd.AddCommand(updateCmd)
	rootCmd.AddCommand(taskCmd)
}
"#,
        &expect![[r#"
            package cmd
            symbol variable taskCmd 4-4 : <cobra.Command> | var taskCmd = &cobra.Command
            symbol variable updateCmd 5-5 : <cobra.Command> | var updateCmd = &cobra.Command
            symbol function init 7-10 | func init()
            ref value cobra @4 in taskCmd
            ref type cobra . Command @4 in taskCmd
            ref value <cobra.Command> . Use @4 in taskCmd
            ref value <cobra.Command> . RunE @4 in taskCmd
            ref value runTask @4 in taskCmd
            ref value cobra @5 in updateCmd
            ref type cobra . Command @5 in updateCmd
            ref value <cobra.Command> . Use @5 in updateCmd
            ref value <cobra.Command> . RunE @5 in updateCmd
            ref value runUpdate @5 in updateCmd
            ref value taskCmd @8 in init
            ref call taskCmd . AddCommand @8 in init
            ref value updateCmd @8 in init
            ref value rootCmd @9 in init
            ref call rootCmd . AddCommand @9 in init
            ref value taskCmd @9 in init
            string "update ID" @5 in updateCmd
            command "task" -> runTask @4
            command "task update" -> runUpdate @5
        "#]],
    );
}
