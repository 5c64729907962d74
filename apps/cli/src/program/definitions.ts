/** Which commands does `drover` have, with which options, and how is each explained? */
import { Option } from 'commander';
import type { Command } from 'commander';
import { addDatabase, addDoctor } from '../commands/projects/definitions.ts';
import { addMachines } from '../commands/machines/definitions.ts';
import { addRecovery } from '../commands/incidents/definitions.ts';
import { addPolicy } from '../commands/policies/definitions.ts';
import { addPeople } from '../commands/people/definitions.ts';
import { addQueue } from '../commands/queue/definitions.ts';
import type { Define } from './program.ts';

/** Adds all commands, in the order in which a newcomer meets them. */
export function defineCommands(program: Command, define: Define): void {
  program.commandsGroup('Begin and end:');
  addProject(program, define);
  program.commandsGroup('Work:');
  addWorkers(program, define);
  addQueue(program, define);
  program.commandsGroup('Review:');
  addReview(program, define);
  program.commandsGroup('Look:');
  addInsight(program, define);
  program.commandsGroup('Recovery:');
  addRecovery(program, define);
  program.commandsGroup('Fleets of machines:');
  addFleet(program, define);
  program.commandsGroup('People:');
  addPeople(program, define);
  program.commandsGroup('Database:');
  addDatabase(program, define);
  program.commandsGroup('Help:');
  define(program, {
    usage: 'exit-codes',
    about: 'explain the exit status of drover',
    example: 'drover exit-codes --json',
  });
}

function addProject(program: Command, define: Define): void {
  define(program, {
    usage: 'init',
    about: 'make a Drover root: a clone of your repository, and a drover.toml',
    example: 'drover init\ndrover init --source ~/code/shop --target ~/agents/shop',
  })
    .option('--source <dir>', 'the git repository to work on (default: the current directory)')
    .option('--target <dir>', 'where the root is made (default: <source>-drover beside it)');
  define(program, {
    usage: 'up',
    about: 'run coordinator, machine agent and database here until Ctrl-C',
    example: 'drover up\ndrover up --port 0\nDATABASE_URL=postgres://me@db/drover drover up',
  })
    .option('--no-patrol', 'do not look after workers once a minute')
    .option('--port <port>', 'port to listen on, on loopback only; 0 takes a free one');
  define(program, {
    usage: 'down',
    about: 'close all sessions and stop "drover up"; work stays',
    example: 'drover down\ndrover down --keep-sessions',
  })
    .option('--keep-sessions', 'stop "drover up" only; agents work on and are found again')
    .option('--force', 'do not wait: stop the process and the tmux server of this root');
}

function addWorkers(program: Command, define: Define): void {
  define(program, {
    usage: 'add <name>',
    about: 'add a worker: a worktree, a branch, a tmux session, a coding agent',
    args: { name: 'a lower-case letter, then up to 30 letters, digits or hyphens' },
    example: 'drover add adam\ndrover add bea --profile codex --wait',
  })
    .option('--profile <profile>', 'which coding agent: claude, codex, opencode, gemini, sim or one of drover.toml')
    .option('--model <model>', 'the model that the agent is started with')
    .option('--role-prompt <text>', 'words added to each of its prompts')
    .option('--machine <name>', 'on which machine (default: the connected one with the fewest workers)')
    .option('--wait', 'wait until it is ready for a task');
  define(program, {
    usage: 'start',
    about: 'give a task to an idle worker',
    example:
      'drover start --prompt "Add a --version flag"\ndrover start --worker adam --prompt-file task.md\ngit diff | drover start --prompt-file -',
  })
    .option('--worker <name>', 'which worker (default: the best idle one of the pool)')
    .option('--prompt <text>', 'what is to be done')
    .option('--prompt-file <file>', 'a file that says it; "-" reads stdin');
  define(program, {
    usage: 'message <worker> [text...]',
    about: 'send words to a worker at its task, or answer its question',
    args: { worker: 'its name', text: 'the words' },
    example: 'drover message adam "Use the library that is there"\ndrover message adam --file notes.md',
  }).option('--file <file>', 'a file with the words; "-" reads stdin');
  define(program, {
    usage: 'attach <worker>',
    about: "open a worker's terminal; Ctrl-b d leaves it",
    args: { worker: 'its name' },
    example: 'drover attach adam\n$(drover attach adam --print)',
  }).option('--print', 'print the tmux command instead of running it');
  define(program, {
    usage: 'nuke [name]',
    about: 'remove a worker, its session, worktree and branch',
    args: { name: 'which worker' },
    example: 'drover nuke adam\ndrover nuke --all',
  })
    .option('--all', 'remove all workers')
    .option('--force', 'also if work is not merged; it is kept under refs/drover/trash for 14 days');
}

function addReview(program: Command, define: Define): void {
  const how = new Option('--interface <how>', 'how the work is shown').choices([
    'diff',
    'stat',
    'difftastic',
    'vscode',
  ]);
  define(program, {
    usage: 'review [worker]',
    about: 'show work that waits for a review',
    args: { worker: 'whose (default: the one that has waited longest)' },
    example: 'drover review\ndrover review adam --interface stat\ndrover review --json | jq -r .diff',
  }).addOption(how.default('diff'));
  define(program, {
    usage: 'reject [worker] [text]',
    about: 'send work back with feedback',
    args: { worker: 'whose work (default: the one that you reviewed last)', text: 'what to change, in quotes' },
    example:
      'drover reject adam "The test is missing"\ndrover reject "The test is missing"\ndrover reject adam --file feedback.md',
  }).option('--file <file>', 'a file with the feedback; "-" reads stdin');
  define(program, {
    usage: 'accept [worker]',
    about: 'merge the work that you have reviewed as one commit into the default branch',
    args: { worker: 'whose work (default: the one that you reviewed last)' },
    example: 'drover accept\ndrover accept adam\ndrover accept adam --head 1a2b3c4',
  })
    .option('--head <commit>', 'the commit that you have seen (default: the one that you reviewed last)')
    .option('--no-wait', 'do not wait until it is merged');
}

function addInsight(program: Command, define: Define): void {
  define(program, {
    usage: 'status',
    about: 'show all workers',
    example:
      'drover status\ndrover status --watch\ndrover status --json | jq -r \'.[] | select(.status == "needs_review").name\'',
  }).option('-w, --watch', 'keep showing them, live, until Ctrl-C');
  define(program, {
    usage: 'why <worker>',
    about: 'explain where a worker is: what was seen, what was decided, what comes next',
    args: { worker: 'its name' },
    example: 'drover why adam',
  }).option('-n, --limit <count>', 'decisions before the last one', '12');
  define(program, {
    usage: 'logs <worker>',
    about: 'show what happened to a worker, or its terminal',
    args: { worker: 'its name' },
    example: 'drover logs adam\ndrover logs adam --follow\ndrover logs adam --pane | less',
  })
    .option('-n, --limit <count>', 'how many events', '50')
    .option('-f, --follow', 'go on as more happens, until Ctrl-C')
    .option('--pane', 'show its terminal instead, with its history');
  addDoctor(program, define);
  addPolicy(program, define);
  addScreen(program.command('screen').description('what is seen on the screens of agents'), define);
  define(program.command('config').description('what drover.toml says'), {
    usage: 'check',
    name: 'config-check',
    about: 'say what is wrong with drover.toml, or print what holds',
    example: 'drover config check\ndrover config check --json | jq .config.defaults',
  });
}

function addScreen(screen: Command, define: Define): void {
  define(screen, {
    usage: 'explain <worker>',
    name: 'screen-explain',
    about: 'say what a screen is taken for, and by which rule',
    args: { worker: 'its name' },
    example: 'drover screen explain adam',
  });
  define(screen, {
    usage: 'record <worker>',
    name: 'screen-record',
    about: 'keep a screen, with its right label, as a test case',
    args: { worker: 'its name' },
    example: 'drover screen record adam --label permission',
  })
    .requiredOption('--label <label>', 'what it really is: ready, processing, permission …')
    .option('--dir <dir>', 'where it is kept', 'screens')
    .option('--version <version>', 'the version of the agent program')
    .option('--note <text>', 'words about it');
  define(screen, {
    usage: 'test <dir>',
    name: 'screen-test',
    about: 'judge every recorded screen below a directory',
    args: { dir: 'where they are' },
    example: "drover screen test screens\ndrover screen test screens --json | jq '.misjudged[].name'",
  }).addHelpText('after', CAPTURES);
}

const CAPTURES = `
A capture is NAME.ansi, what "tmux capture-pane -p -e" printed, with NAME.json:
  { "program": "claude", "label": "ready", "pane_current_command": "claude", "pane_title": "…", "cursor_y": "21", … }
with tmux's pane_dead, pane_dead_status, pane_dead_signal, alternate_on and history_size. Labels:
  starting, dialog_trust, dialog_bypass, dialog_other, ready, typed, processing,
  question_choice, permission, error_retrying, error_terminal, exited_shell, dead, unknown

--json prints
  { "right": 9, "wrong": 1, "misjudged": [{ "name": "a/b", "right": false, "expected": "ready", "got": "typed",
    "rule": "claude/typed" }], "broken": [{ "file": "/x/a/c.json", "why": "it is not JSON: …" }] }
Exit status: 1 if any is judged wrong, 2 if any file is broken; the others are judged all the same.`;

function addFleet(program: Command, define: Define): void {
  addMachines(program, define);
  define(program, {
    usage: 'coordinator',
    about: 'run a coordinator alone: a replica, with DATABASE_URL',
    example: 'DATABASE_URL=postgres://me@db/drover DROVER_TOKEN=… drover coordinator --port 4680',
  })
    .option('--no-patrol', 'leave the patrol to other replicas')
    .option('--port <port>', 'port to listen on')
    .option('--host <address>', 'address to listen on')
    .option('--force', 'listen beyond loopback although nothing here speaks TLS');
  define(program, {
    usage: 'agent',
    about: 'run the machine agent alone',
    example:
      'drover agent --url https://drover.example.com --join -\ndrover agent --url https://drover.example.com --join-file join-token',
  })
    .option('--url <url>', 'the coordinator, or several separated by commas')
    .option('--join <token>', 'a token of "drover machines invite", the first time; "-" reads it from standard input')
    .option('--join-file <file>', 'a file that holds that token: unlike an argument, other users cannot read it')
    .option('--name <name>', 'how people call this machine (default: its host name)')
    .option('--insecure', 'send tokens over plain http to another computer, where all on the way can read them');
  addProfiles(program, define);
  define(program, {
    usage: 'hook',
    about: 'called by coding agents: say what kind of failure a tool had, and what to do',
    example: 'drover hook < event.json',
  });
}

function addProfiles(program: Command, define: Define): void {
  const profiles = define(program, {
    usage: 'profiles',
    about: 'show the agent profiles of the fleet',
    example: 'drover profiles\ndrover profiles show claude > claude.json',
  });
  define(profiles, {
    usage: 'show <name>',
    name: 'profiles-show',
    about: 'print a profile that comes with Drover, as a start for one of your own',
    args: { name: 'which profile' },
    example: 'drover profiles show claude > claude.json',
  });
  define(profiles, {
    usage: 'put <file>',
    name: 'profiles-put',
    about: 'give every machine of the fleet a profile, without a restart',
    args: { file: 'the profile document, as JSON' },
    example: 'drover profiles put claude.json',
  });
  define(profiles, {
    usage: 'remove <name>',
    name: 'profiles-remove',
    about: 'take a profile of the fleet back; the one that comes with Drover holds again',
    args: { name: 'which profile' },
    example: 'drover profiles remove claude',
  });
}
