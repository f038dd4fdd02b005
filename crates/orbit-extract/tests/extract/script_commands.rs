//! Commands of programs in TypeScript and JavaScript, by the library that they are registered with.

#![expect(clippy::too_many_lines, reason = "a fixture and its facts stay together")]

use crate::render::check;
use expect_test::expect;

#[test]
fn commander_commands() {
    check(
        "cli.ts",
        r#"
import { Command, program } from 'commander';
program.name('app').version('1').command('clone <source> [destination]').description('clones it').action(cloneIt);
const task = program.command('task');
task.command('update <id>').option('-f').action((id) => update(id));
task.command('list').action(handlers.list);
program.command('install', 'a program of its own').command('next').action(next);
const build = new Command('build').action(doBuild);
program.addCommand(build);
program.addCommand(makeServe());
program.addCommand(new Command('inline').action(inlined));
program.command(dynamicName).action(nope);
function makeServe() {
  const serve = new Command('serve');
  serve.command('stop').action(() => stopIt());
  return serve.action(run);
}
"#,
        &expect![[r#"
            symbol const task 4-4 : program.command() | const task = program.command('task')
            symbol const build 8-8 : <Command>.action() | const build = new Command('build').action(doBuild)
            symbol function makeServe 13-17 : <Command>.action() | function makeServe()
            ref value program @3 in -
            ref call program . name @3 in -
            ref call program.name() . version @3 in -
            ref call program.name().version() . command @3 in -
            ref call program.name().version().command() . description @3 in -
            ref call program.name().version().command().description() . action @3 in -
            ref value cloneIt @3 in -
            ref value program @4 in task
            ref call program . command @4 in task
            ref value task @5 in -
            ref call task . command @5 in -
            ref call task.command() . option @5 in -
            ref call task.command().option() . action @5 in -
            ref call update @5 in -
            ref value task @6 in -
            ref call task . command @6 in -
            ref call task.command() . action @6 in -
            ref value handlers @6 in -
            ref value handlers . list @6 in -
            ref value program @7 in -
            ref call program . command @7 in -
            ref call program.command() . command @7 in -
            ref call program.command().command() . action @7 in -
            ref value next @7 in -
            ref call Command @8 in build
            ref call <Command> . action @8 in build
            ref value doBuild @8 in build
            ref value program @9 in -
            ref call program . addCommand @9 in -
            ref value build @9 in -
            ref value program @10 in -
            ref call program . addCommand @10 in -
            ref call makeServe @10 in -
            ref value program @11 in -
            ref call program . addCommand @11 in -
            ref call Command @11 in -
            ref call <Command> . action @11 in -
            ref value inlined @11 in -
            ref value program @12 in -
            ref call program . command @12 in -
            ref value dynamicName @12 in -
            ref call program.command() . action @12 in -
            ref value nope @12 in -
            ref call Command @14 in makeServe
            ref call <Command> . command @15 in makeServe
            ref call <Command>.command() . action @15 in makeServe
            ref call stopIt @15 in makeServe
            ref call <Command> . action @16 in makeServe
            ref value run @16 in makeServe
            import symbol commander [Command] as Command @2 in -
            import symbol commander [program] as program @2 in -
            string "clone <source> [destination]" @3 in -
            string "clones it" @3 in -
            string "update <id>" @5 in -
            string "install" @7 in -
            string "a program of its own" @7 in -
            string "inline" @11 in -
            command "clone" -> cloneIt @3
            command "task" -> - @4
            command "task update" -> - runs 248..266 @5
            command "task list" -> handlers.list @6
            command "install" -> - @7
            command "next" -> next @7
            command "build" -> doBuild @8
            command "inline" -> inlined @11
            command "serve" -> run @14
            command "serve stop" -> - runs 700..714 @15
        "#]],
    );
}

#[test]
fn yargs_commands() {
    check(
        "cli.js",
        r#"
const yargs = require('yargs/yargs');
const { hideBin } = require('yargs/helpers');
yargs(hideBin(process.argv))
  .usage('how to use it')
  .command('serve [port]', 'start the server', (y) => y.option('p'), serve)
  .command(['start', 'run'], 'starts it', () => {}, (argv) => startIt(argv))
  .command({ command: 'get <key>', describe: 'gets it', handler: getKey })
  .command('remote', 'remotes', (remote) => remote.command('add', 'adds one', {}, addRemote))
  .command('$0', 'the default', () => {}, main)
  .demandCommand(1)
  .parse();
"#,
        &expect![[r#"
            ref call yargs @4 in -
            ref call hideBin @4 in -
            ref value process @4 in -
            ref value process . argv @4 in -
            ref call yargs() . usage @5 in -
            ref call yargs().usage() . command @6 in -
            ref call yargs().usage().command(#2)<-0 . option @6 in -
            ref value serve @6 in -
            ref call yargs().usage().command() . command @7 in -
            ref call startIt @7 in -
            ref call yargs().usage().command().command() . command @8 in -
            ref value yargs().usage().command().command().command(#0) . command @8 in -
            ref value yargs().usage().command().command().command(#0) . describe @8 in -
            ref value yargs().usage().command().command().command(#0) . handler @8 in -
            ref value getKey @8 in -
            ref call yargs().usage().command().command().command() . command @9 in -
            ref call yargs().usage().command().command().command().command(#2)<-0 . command @9 in -
            ref value addRemote @9 in -
            ref call yargs().usage().command().command().command().command() . command @10 in -
            ref value main @10 in -
            ref call yargs().usage().command().command().command().command().command() . demandCommand @11 in -
            ref call yargs().usage().command().command().command().command().command().demandCommand() . parse @12 in -
            import module yargs/yargs as yargs @2 in -
            import symbol yargs/helpers [hideBin] as hideBin @3 in -
            string "how to use it" @5 in -
            string "serve [port]" @6 in -
            string "start the server" @6 in -
            string "starts it" @7 in -
            string "get <key>" @8 in -
            string "gets it" @8 in -
            string "remote" @9 in -
            string "remotes" @9 in -
            string "adds one" @9 in -
            string "the default" @10 in -
            command "serve" -> serve @6
            command "start" -> - runs 268..291 @7
            command "get" -> getKey @8
            command "remote" -> - @9
            command "remote add" -> addRemote @9
        "#]],
    );
    check(
        "cmds/init.js",
        "exports.command = 'init [dir]';\nexports.handler = function (argv) { run(argv); };\n",
        &expect![[r#"
            symbol const command 1-1 pub : # | exports.command = 'init [dir]'
            symbol function handler 2-2 pub | exports.handler = function (argv)
            ref call run @2 in handler
            string "init [dir]" @1 in command
            command "init" -> handler @1
        "#]],
    );
}

#[test]
fn cac_commands() {
    check(
        "cli.ts",
        r#"
import { cac } from 'cac';
const cli = cac('vite');
cli.command('[root]', 'start dev server').alias('serve').action(async () => {});
cli.command('build [root]', 'build for production').option('--x').action(build);
"#,
        &expect![[r#"
            symbol const cli 3-3 : cac() | const cli = cac('vite')
            ref call cac @3 in cli
            ref value cli @4 in -
            ref call cli . command @4 in -
            ref call cli.command() . alias @4 in -
            ref call cli.command().alias() . action @4 in -
            ref value cli @5 in -
            ref call cli . command @5 in -
            ref call cli.command() . option @5 in -
            ref call cli.command().option() . action @5 in -
            ref value build @5 in -
            import symbol cac [cac] as cac @2 in -
            string "[root]" @4 in -
            string "start dev server" @4 in -
            string "build [root]" @5 in -
            string "build for production" @5 in -
            command "build" -> build @5
        "#]],
    );
}
