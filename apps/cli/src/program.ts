/** Which commands does `drover` have, with which options, and how are they explained? */
import { Argument, Command, Option } from 'commander';
import { EXIT_CODES } from './exit-codes.ts';

/** Runs a command; `json` comes from the option that every command has. */
export type Run = (
  name: CommandName,
  args: readonly string[],
  options: Readonly<Record<string, unknown>>,
) => Promise<void>;

/** Each is a file in `commands/`, loaded only when it is called. */
export type CommandName =
  | 'init'
  | 'up'
  | 'down'
  | 'add'
  | 'nuke'
  | 'status'
  | 'start'
  | 'message'
  | 'attach'
  | 'review'
  | 'reject'
  | 'accept'
  | 'why'
  | 'logs'
  | 'doctor'
  | 'machines'
  | 'invite'
  | 'screen-explain'
  | 'screen-record'
  | 'screen-test'
  | 'config-check'
  | 'coordinator'
  | 'agent';

/** The whole command line. */
export function createProgram(run: Run, version: string): Command {
  const program = new Command('drover')
    .description('Keeps coding agents at work in tmux and git worktrees, and asks you only what needs a person.')
    .version(version, '-V, --version')
    .showSuggestionAfterError(true)
    .showHelpAfterError('(run with --help for what it takes)')
    .configureHelp({ sortSubcommands: false })
    .addHelpText('after', EXAMPLES);
  addProject(program, run);
  addWorkers(program, run);
  addReview(program, run);
  addInsight(program, run);
  addFleet(program, run);
  program
    .command('exit-codes')
    .description('what the exit status of drover means')
    .action(() => {
      for (const [name, { status, meaning }] of Object.entries(EXIT_CODES))
        process.stdout.write(`${String(status).padStart(3)}  ${name}: ${meaning}\n`);
    });
  return program;
}

const EXAMPLES = `
A first task:
  cd my-project && drover init      make a Drover root beside the project
  cd ../my-project-drover
  drover up                         in a terminal of its own
  drover add adam                   a worker
  drover start --prompt "Add a --version flag"
  drover status --watch
  drover review && drover accept

Every command that prints data takes --json. Exit status: drover exit-codes.
Options of drover.toml: drover config check, docs/configuration.md.`;

/** A command whose file has its name, with `--json`. */
function command(
  parent: Command,
  run: Run,
  { usage, name, about }: { usage: string; name: CommandName; about: string },
): Command {
  const made = parent.command(usage).description(about).option('--json', 'print data as JSON');
  return made.action(async (...received: unknown[]) => {
    const values = received.slice(0, made.registeredArguments.length);
    const args = values.flat().filter((value): value is string => typeof value === 'string');
    await run(name, args, made.opts());
  });
}

function addProject(program: Command, run: Run): void {
  command(program, run, {
    usage: 'init',
    name: 'init',
    about: 'make a Drover root: a clone of your repository and a drover.toml',
  })
    .option('--source <dir>', 'the git repository to work on (default: the current directory)')
    .option('--target <dir>', 'where the root is made (default: <source>-drover beside it)');
  command(program, run, {
    usage: 'up',
    name: 'up',
    about: 'run coordinator, machine agent and database here until Ctrl-C',
  })
    .option('--no-patrol', 'do not look after workers once a minute')
    .option('--port <port>', 'port to listen on, on loopback only; 0 takes a free one');
  command(program, run, { usage: 'down', name: 'down', about: 'close all sessions and stop "drover up"' })
    .option('--force', 'do not wait: stop the process and the tmux server of this root')
    .option('--keep-sessions', 'stop "drover up" only; agents work on and are found again');
}

function addWorkers(program: Command, run: Run): void {
  command(program, run, {
    usage: 'add',
    name: 'add',
    about: 'add a worker: a worktree, a branch, a tmux session, a coding agent',
  })
    .argument('<name>', 'a lower-case letter, then up to 30 letters, digits or hyphens')
    .option('--model <model>', 'the model that the agent is started with')
    .option('--role-prompt <text>', 'words added to each of its prompts')
    .option('--profile <profile>', 'which coding agent: claude, codex, opencode, gemini, sim or one of drover.toml')
    .option('--machine <name>', 'on which machine (default: the connected one with the fewest workers)');
  command(program, run, { usage: 'nuke', name: 'nuke', about: 'remove a worker, its session, worktree and branch' })
    .argument('[name]')
    .option('--all', 'remove all workers')
    .option('--force', 'also if work is not merged; it is kept under refs/drover/trash for 14 days');
  command(program, run, { usage: 'start', name: 'start', about: 'give a task to an idle worker' })
    .option('--worker <name>', 'which worker (default: the best idle one of the pool)')
    .option('--prompt <text>', 'what is to be done')
    .option('--prompt-file <file>', 'a file that says it; "-" reads stdin');
  command(program, run, { usage: 'message', name: 'message', about: 'send words to a worker at its task' })
    .argument('<worker>')
    .argument('[text...]')
    .option('--file <file>', 'a file with the words; "-" reads stdin');
  command(program, run, { usage: 'attach', name: 'attach', about: "open the worker's tmux session, or print how to" })
    .argument('<worker>')
    .option('--print', 'print the command instead of running it');
}

function addReview(program: Command, run: Run): void {
  command(program, run, { usage: 'review', name: 'review', about: 'show the work that waits for review' })
    .argument('[worker]', 'default: the one that has waited longest')
    .addOption(
      new Option('--interface <how>', 'how the diff is shown')
        .choices(['diff', 'stat', 'difftastic', 'vscode'])
        .default('diff'),
    );
  command(program, run, { usage: 'reject', name: 'reject', about: 'send work back with feedback' })
    .addArgument(new Argument('[words...]', 'WORKER TEXT, or TEXT alone for the worker that was reviewed last'))
    .option('--worker <name>', 'whose work (default: the one that was reviewed last)')
    .option('--file <file>', 'a file with the feedback; "-" reads stdin');
  command(program, run, { usage: 'accept', name: 'accept', about: 'merge work as one commit into the default branch' })
    .argument('[worker]', 'default: the one that was reviewed last')
    .option('--no-wait', 'do not wait until it is merged');
}

function addInsight(program: Command, run: Run): void {
  command(program, run, { usage: 'status', name: 'status', about: 'show all workers' }).option(
    '-w, --watch',
    'keep showing them, live',
  );
  command(program, run, {
    usage: 'why',
    name: 'why',
    about: 'explain where a worker is: what was seen, which rule, what comes next',
  })
    .argument('<worker>')
    .option('-n, --limit <count>', 'events of its history', '12');
  command(program, run, { usage: 'logs', name: 'logs', about: 'show what happened to a worker' })
    .argument('<worker>')
    .option('-n, --limit <count>', 'events', '50')
    .option('-f, --follow', 'go on as more happens')
    .option('--pane', 'show its terminal instead, with its history');
  command(program, run, {
    usage: 'doctor',
    name: 'doctor',
    about: 'check this machine, the configuration and the fleet',
  });
  addScreen(program.command('screen').description('about what is seen on the screens of agents'), run);
  const config = program.command('config').description('about drover.toml');
  command(config, run, {
    usage: 'check',
    name: 'config-check',
    about: 'say what is wrong with drover.toml, or print what holds',
  });
}

function addScreen(screen: Command, run: Run): void {
  command(screen, run, {
    usage: 'explain',
    name: 'screen-explain',
    about: 'say what a screen is taken for, and by which rule',
  }).argument('<worker>');
  command(screen, run, {
    usage: 'record',
    name: 'screen-record',
    about: 'keep a screen, with its right label, as a test case',
  })
    .argument('<worker>')
    .requiredOption('--label <label>', 'what it really is: ready, processing, permission …')
    .option('--dir <dir>', 'where it is kept', 'screens')
    .option('--version <version>', 'the version of the agent program')
    .option('--note <text>', 'words about it');
  command(screen, run, {
    usage: 'test',
    name: 'screen-test',
    about: 'judge every recorded screen below a directory',
  }).argument('<dir>');
}

function addFleet(program: Command, run: Run): void {
  const machines = command(program, run, {
    usage: 'machines',
    name: 'machines',
    about: 'show the machines of the fleet',
  });
  command(machines, run, {
    usage: 'invite',
    name: 'invite',
    about: 'make a single-use token that lets another machine join',
  }).option('--ttl <minutes>', 'how long it is good for', '10');
  command(program, run, {
    usage: 'coordinator',
    name: 'coordinator',
    about: 'run a coordinator alone (a replica, with DATABASE_URL)',
  })
    .option('--no-patrol', 'leave the patrol to other replicas')
    .option('--port <port>', 'port to listen on')
    .option('--host <address>', 'address to listen on')
    .option('--force', 'listen beyond loopback although nothing here speaks TLS');
  command(program, run, { usage: 'agent', name: 'agent', about: 'run the machine agent alone' })
    .option('--url <url>', 'the coordinator, or several separated by commas')
    .option('--join <token>', 'a token of "drover machines invite", the first time')
    .option('--name <name>', 'how people call this machine (default: its host name)');
}
