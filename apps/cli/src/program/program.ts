/** The command line of `drover`: builds it from the declared commands, reads arguments, prints help. */
import { Command, Help, InvalidArgumentError, Option as CommanderOption } from 'commander';
import { withAdvice } from './advice.ts';
import { LISTS, PARENTS, pluralOf } from '../commands/index.ts';
import type { LoadedCommand } from '../commands/load.ts';
import { dashed } from './define.ts';
import type { DefinedCommand, Given } from './define.ts';
import { HELP_COLUMNS, overview } from './overview.ts';
import { COLOR_CHOICES } from '../terminal/terminal.ts';
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

const FIELDS = '--json=FIELD,FIELD prints these fields alone';

/** Makes the command line with these commands. Wrong arguments throw commander's own error; nothing exits. */
export function createProgram({ commands, run, version, print, note }: ProgramParts): Command {
  const program = new Command('drover')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .showSuggestionAfterError(true)
    // Options after `list` belong to `list`, also if `drover queue` alone has options of the same name.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: print,
      writeErr: note,
      outputError: (text) => note(withAdvice(text.replace(/^error: /, ''), commands)),
    })
    .configureHelp({
      helpWidth: HELP_COLUMNS,
      minWidthToWrap: 20,
      subcommandTerm: termOf,
      commandUsage: (command) => `${pathOf(command)} ${command.usage()}`,
      formatHelp: (command, helper) =>
        command.parent === null ? overview(commands) : new Help().formatHelp.call(helper, command, helper),
    })
    .showHelpAfterError('See "drover --help".');
  addHelp(program);
  for (const loaded of commands) addCommand(program, loaded, (given) => run(loaded, given));
  return program;
}

/** Adds `drover help`, which prints the help of a command, and holds the topics of the help. */
function addHelp(program: Command): void {
  const help = program.command('help').argument('[command...]', 'a command, or a topic').description(PARENTS.help);
  help.action((words: readonly string[]) => {
    const named = words.reduce<Command | undefined>((at, word) => at && childOf(at, word), program);
    if (named === undefined) unknown(program, words.join(' '));
    else named.help();
  });
}

function addCommand(program: Command, { name, command }: LoadedCommand, start: (given: Given) => Promise<void>): void {
  const words = name.split(' ');
  const word = words.at(-1) ?? '';
  const parent = words
    .slice(0, -1)
    .reduce((at, outer, index) => childOf(at, outer) ?? addParent(at, words.slice(0, index + 1)), program);
  const made = add(parent, { word, path: name, command }, start);
  if (!LISTS.has(name)) return;
  made.alias(pluralOf(word));
  const about = `the same as "drover ${name}"`;
  add(made, { word: 'list', path: `${name} list`, command: { ...command, about } }, start);
}

function childOf(parent: Command, word: string): Command | undefined {
  return parent.commands.find((one) => one.name() === word || one.aliases().includes(word));
}

/** Adds a command that only holds others. */
function addParent(parent: Command, words: readonly string[]): Command {
  const abouts: Readonly<Record<string, string>> = PARENTS;
  return parent
    .command(words.at(-1) ?? '')
    .description(abouts[words.join(' ')] ?? '')
    .helpCommand(false);
}

interface Placed {
  readonly word: string;
  readonly path: string;
  readonly command: DefinedCommand;
}

function add(parent: Command, { word, path, command }: Placed, start: (given: Given) => Promise<void>): Command {
  const { about, args, options, example, more, isList = false } = command;
  const made = parent.command(word).description(about);
  // `refuseUnknown` checks the words after a command that holds others.
  parent.allowExcessArguments(parent.parent !== null && parent.registeredArguments.length === 0);
  for (const [name, argument] of Object.entries(args)) made.argument(usageOf(name, argument), argument.about);
  // An optional value takes the next word, so a command with arguments takes fields behind `=` alone.
  const fields = Object.keys(args).length === 0 ? '[fields]' : '';
  made.option(`--json ${fields}`.trimEnd(), `print data and errors as JSON; ${FIELDS}`);
  made.addOption(new CommanderOption('--color <when>', 'when to print colors').choices(COLOR_CHOICES).hideHelp());
  if (isList) {
    made.option('-q, --quiet', 'print names alone');
    made.option('--wide', 'print all columns, and cut none');
  }
  for (const [name, option] of Object.entries(options)) made.addOption(checked(optionOf(name, option), option, made));
  made.showHelpAfterError(`See "drover ${path} --help".`);
  made.addHelpText('after', `\nExamples:\n${example.replaceAll(/^/gm, '  ')}`);
  if (more !== undefined) made.addHelpText('after', ({ command: shown }) => `\n${wrapped(more, shown)}`);
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
  unknown(made, `${path} ${typed}`, `; there are: ${names.join(', ')}`);
}

function unknown(at: Command, typed: string, known = ''): never {
  at.error(`unknown command '${typed}'${known}`, { code: 'commander.unknownCommand', exitCode: 1 });
}

/** Returns the words that call a command, `drover` first. */
function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/** Breaks lines that are longer than the help is wide. */
function wrapped(text: string, command: Command): string {
  return command.createHelp().boxWrap(text, HELP_COLUMNS);
}

function usageOf(name: string, { kind }: Argument<unknown>): string {
  const usages = { required: `<${name}>`, optional: `[${name}]`, rest: `[${name}...]` };
  return usages[kind];
}

function optionOf(name: string, option: Option<unknown>): CommanderOption {
  const { about, short, value, choices, isRequired = false, isRepeated = false, isNegated = false } = option;
  const long = `--${isNegated ? 'no-' : ''}${dashed(name)}${value === undefined ? '' : ` <${value}>`}`;
  const made = new CommanderOption(short === undefined ? long : `-${short}, ${long}`, about);
  if (choices !== undefined) made.choices(choices);
  if (isRepeated) made.argParser((given: string, before: readonly string[] = []) => [...before, given]);
  if (option.default !== undefined) made.default(option.default);
  return made.makeOptionMandatory(isRequired);
}

/**
 * Refuses a second value, which would take the place of the first in silence, and the name of an option in the place
 * of a value, which was left out.
 */
function checked(
  option: CommanderOption,
  { value, isRepeated = false }: Option<unknown>,
  command: Command,
): CommanderOption {
  if (value === undefined) return option;
  const read = option.parseArg;
  let isGiven = false;
  return option.argParser((given: string, before: unknown) => {
    if (command.options.some(({ short, long }) => given === short || given === long))
      throw new InvalidArgumentError(`It is an option: write the ${value} after ${option.long ?? ''}.`);
    if (isGiven && !isRepeated) throw new InvalidArgumentError('It is given twice: give it once.');
    isGiven = true;
    return read === undefined ? given : read(given, before);
  });
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
