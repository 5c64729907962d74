/** How does the command line of `drover` read its arguments and print its help? */
import { Command } from 'commander';
import type { CommandName, Run } from '../commands/index.ts';
import { defineCommands } from './definitions.ts';

/** What the command line is connected to. */
export interface ProgramParts {
  readonly run: Run;
  readonly version: string;
  /** Takes the help and the version. */
  readonly print: (text: string) => void;
  /** Takes what commander says about arguments that it does not understand. */
  readonly note: (text: string) => void;
}

/** The whole command line. It throws commander's own error where arguments are wrong, and exits nowhere. */
export function createProgram({ run, version, print, note }: ProgramParts): Command {
  const program = new Command('drover')
    .usage('COMMAND [OPTIONS]')
    .description('Keeps coding agents at work in tmux and git worktrees, and asks you only what needs a person.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpCommand(
      new Command('help').argument('[command]').description('print the help of a command').helpGroup('Help:'),
    )
    .showSuggestionAfterError(true)
    // What stands behind `list` is meant for `list`, also where `drover queue` alone has options of the same name.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeOut: print, writeErr: note, outputError: (text) => note(text.replace(/^error: /, '')) })
    .configureHelp({ subcommandTerm: termOf })
    .showHelpAfterError('See "drover --help".')
    .addHelpText('after', FIRST_TASK);
  defineCommands(program, definer(program, run));
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
export interface Definition {
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

/** Adds a command to its parent. */
export type Define = (parent: Command, definition: Definition) => Command;

/** Makes commands that run the file of their name, and all have `--json`. */
function definer(program: Command, run: Run): Define {
  return (parent, { usage, name, about, example, args = {} }) => {
    const made = parent.command(usage).description(about);
    for (const argument of made.registeredArguments) argument.description = args[argument.name()] ?? '';
    const path = [...(parent === program ? [] : [parent.name()]), made.name()];
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
  const names = command.commands.map((one) => one.name()).join('|');
  // A command that does something by itself has options, and what stands under it may be left out.
  const inner = names === '' || command.options.length === 0 ? names : `[${names}]`;
  return [command.name(), inner, ...args].filter((part) => part !== '').join(' ');
}
