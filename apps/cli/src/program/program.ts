/** The command line of `drover`: builds it from the declared commands, reads arguments, prints help. */
import { Command, Option as CommanderOption } from 'commander';
import { withAdvice } from './advice.ts';
import { PARENTS } from '../commands/index.ts';
import type { LoadedCommand } from '../commands/load.ts';
import { dashed } from './define.ts';
import type { DefinedCommand, Given } from './define.ts';
import type { Argument, Option } from './spec.ts';

/** Connections of the command line. */
export interface ProgramParts {
  readonly commands: readonly LoadedCommand[];
  readonly run: (loaded: LoadedCommand, given: Given) => Promise<void>;
  readonly version: string;
  /** Takes the help and the version. */
  readonly print: (text: string) => void;
  /** Takes commander's messages about invalid arguments. */
  readonly note: (text: string) => void;
}

/** Makes the command line with these commands. Wrong arguments throw commander's own error; nothing exits. */
export function createProgram({ commands, run, version, print, note }: ProgramParts): Command {
  const program = new Command('drover')
    .usage('COMMAND [OPTIONS]')
    .description('Keeps coding agents at work in tmux and git worktrees, and asks you only what needs a person.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpCommand(
      new Command('help').argument('[command]').description('print the help of a command').helpGroup('Help:'),
    )
    .showSuggestionAfterError(true)
    // Options after `list` belong to `list`, also if `drover queue` alone has options of the same name.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: print,
      writeErr: note,
      outputError: (text) => note(withAdvice(text.replace(/^error: /, ''), commands)),
    })
    .configureHelp({ subcommandTerm: termOf })
    .showHelpAfterError('See "drover --help".')
    .addHelpText('after', FIRST_TASK);
  for (const loaded of commands) {
    program.commandsGroup(loaded.group);
    addCommand(program, loaded, (given) => run(loaded, given));
  }
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

Data goes to stdout, messages to stderr. --json prints data, and errors, as JSON.
Settings: drover.toml, see "drover config check --help".`;

function addCommand(program: Command, { name, command }: LoadedCommand, start: (given: Given) => Promise<void>): void {
  const [first = '', second] = name.split(' ');
  if (second === undefined) {
    const made = add(program, { word: first, path: first, command }, start);
    if (command.listExample === undefined) return;
    const { about, ...list } = { ...command, about: `the same as "drover ${first}"`, example: command.listExample };
    add(made, { word: 'list', path: `${first} list`, command: { ...list, about } }, start);
    return;
  }
  const parent = program.commands.find((one) => one.name() === first) ?? addParent(program, first);
  add(parent, { word: second, path: name, command }, start);
}

/** Adds a command that only holds others. */
function addParent(program: Command, word: string): Command {
  return program.command(word).description(PARENTS[word] ?? '');
}

interface Placed {
  readonly word: string;
  readonly path: string;
  readonly command: DefinedCommand;
}

function add(parent: Command, { word, path, command }: Placed, start: (given: Given) => Promise<void>): Command {
  const { about, args, options, example, more } = command;
  const made = parent.command(word).description(about);
  // `refuseUnknown` checks the words after a command that holds others.
  parent.allowExcessArguments(parent.parent !== null && parent.registeredArguments.length === 0);
  for (const [name, argument] of Object.entries(args)) made.argument(usageOf(name, argument), argument.about);
  made.option('--json', 'print data and errors as JSON');
  for (const [name, option] of Object.entries(options)) made.addOption(optionOf(name, option));
  made.showHelpAfterError(`See "drover ${path} --help".`);
  made.addHelpText('after', `\nExamples:\n${example.replaceAll(/^/gm, '  ')}`);
  if (more !== undefined) made.addHelpText('after', more);
  return made.action(async (...received: unknown[]) => {
    refuseUnknown(made, path);
    await start({ args: received.slice(0, made.registeredArguments.length), options: made.opts() });
  });
}

/** Refuses a mistyped subcommand: it is not an argument too many. */
function refuseUnknown(made: Command, path: string): void {
  const [typed] = made.args;
  if (made.commands.length === 0 || made.registeredArguments.length > 0 || typed === undefined) return;
  const names = made.commands.map((one) => one.name()).toSorted();
  made.error(`unknown command '${path} ${typed}'; there are: ${names.join(', ')}`, {
    code: 'commander.unknownCommand',
    exitCode: 1,
  });
}

function usageOf(name: string, { kind }: Argument<unknown>): string {
  const usages = { required: `<${name}>`, optional: `[${name}]`, rest: `[${name}...]` };
  return usages[kind];
}

function optionOf(name: string, option: Option<unknown>): CommanderOption {
  const { about, short, value, choices, isRequired = false, isNegated = false } = option;
  const long = `--${isNegated ? 'no-' : ''}${dashed(name)}${value === undefined ? '' : ` <${value}>`}`;
  const made = new CommanderOption(short === undefined ? long : `-${short}, ${long}`, about);
  if (choices !== undefined) made.choices(choices);
  if (option.default !== undefined) made.default(option.default);
  return made.makeOptionMandatory(isRequired);
}

function termOf(command: Command): string {
  const args = command.registeredArguments.map((argument) => {
    const name = argument.name().toUpperCase();
    return argument.required ? name : `[${name}]`;
  });
  const names = command.commands.map((one) => one.name()).join('|');
  // A command that acts by itself has options, and its subcommand may be left out.
  const inner = names === '' || command.options.length === 0 ? names : `[${names}]`;
  return [command.name(), inner, ...args].filter((part) => part !== '').join(' ');
}
