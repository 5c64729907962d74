/** Which options does each command of `drover` have, and how is it explained? */
import { Command, Option } from 'commander';
import type { CommandName, Run } from './commands.ts';

/** What the command line is connected to. */
export interface ProgramParts {
  readonly run: Run;
  readonly version: string;
  /** Takes what commander says about arguments that it does not understand. */
  readonly note: (text: string) => void;
}

/** The whole command line. It throws commander's own error where arguments are wrong, and exits nowhere. */
export function createProgram({ run, version, note }: ProgramParts): Command {
  const program = new Command('drover')
    .usage('COMMAND [OPTIONS]')
    .description('Keeps coding agents at work in tmux and git worktrees, and asks you only what needs a person.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .showSuggestionAfterError(true)
    .exitOverride()
    .configureOutput({ writeErr: note, outputError: (text) => note(text.replace(/^error: /, '')) })
    .configureHelp({ subcommandTerm: termOf })
    .showHelpAfterError('See "drover --help".')
    .addHelpText('after', FIRST_TASK);
  const define = definer(program, run);
  addProject(define);
  addWorkers(define);
  addReview(define);
  addInsight(program, define);
  addFleet(program, define);
  program.commandsGroup('Help:');
  define(program, {
    usage: 'exit-codes',
    about: 'explain the exit status',
    example: 'drover status; test $? -eq 3 && drover up',
  });
  return program;
}

const FIRST_TASK = `
A first task:
  cd my-project && drover init           make a Drover root beside the project
  cd ../my-project-drover && drover up   in a terminal of its own
  drover add adam                        a worker, in another terminal
  drover start --prompt "Add a --version flag"
  drover status --watch                  until it needs a review
  drover review                          look at the work
  drover accept                          merge it

Data goes to stdout, words about it to stderr. --json prints data, and errors, as JSON.
Settings: drover.toml, see "drover config check --help".`;

/** How one command is told. */
interface Definition {
  /** Its name and arguments, as commander reads them. */
  readonly usage: string;
  /** Its file, where that has another name. */
  readonly name?: CommandName;
  readonly about: string;
  /** One line for each thing that people do with it. */
  readonly example: string;
  /** What each argument is. */
  readonly args?: Readonly<Record<string, string>>;
}

type Define = (parent: Command | null, definition: Definition) => Command;

/** Makes commands that run the file of their name, and all have `--json`. */
function definer(program: Command, run: Run): Define {
  return (parent, { usage, name, about, example, args = {} }) => {
    const made = (parent ?? program).command(usage, {}).description(about);
    for (const argument of made.registeredArguments) argument.description = args[argument.name()] ?? '';
    const path = [made.parent === program ? null : made.parent?.name(), made.name()].filter((part) => part !== null);
    made.option('--json', 'print data and errors as JSON');
    made.showHelpAfterError(`See "drover ${path.join(' ')} --help".`);
    made.addHelpText('after', `\nExamples:\n${example.replaceAll(/^/gm, '  ')}`);
    return made.action(async (...received: unknown[]) => {
      const values = received.slice(0, made.registeredArguments.length);
      const given = values.flat().filter((value): value is string => typeof value === 'string');
      await run(name ?? (made.name() as CommandName), given, made.opts());
    });
  };
}

function termOf(command: Command): string {
  const args = command.registeredArguments.map((argument) => {
    const name = argument.name().toUpperCase();
    return argument.required ? name : `[${name}]`;
  });
  const inner = command.commands.map((one) => one.name()).join('|');
  return [command.name(), inner, ...args].filter((part) => part !== '').join(' ');
}
