// Writes docs/reference/commands.md, the reference of the command line: `npm run docs`. The package also gets the manual page.
import { ENVIRONMENT_ONLY } from '@drover/config';
import { NOUNS, PARENTS, VERBS } from '../../apps/cli/src/commands/index.ts';
import { loadCommands } from '../../apps/cli/src/commands/load.ts';
import type { LoadedCommand } from '../../apps/cli/src/commands/load.ts';
import { dashed } from '../../apps/cli/src/program/define.ts';
import type { DefinedCommand } from '../../apps/cli/src/program/define.ts';
import { EXIT_CODES } from '../../apps/cli/src/exit-codes.ts';

/** A command as both pages show it. */
interface Entry {
  readonly usage: string;
  readonly about: string;
  /** Arguments and options with their meaning. */
  readonly terms: readonly (readonly [term: string, about: string])[];
  readonly example: readonly string[];
  readonly more: string | undefined;
}

interface Group {
  readonly title: string;
  readonly entries: readonly Entry[];
}

async function groups(): Promise<readonly Group[]> {
  const all = await loadCommands(undefined);
  const nouns = [...new Set(Object.keys(NOUNS).map((name) => name.split(' ')[0] ?? ''))];
  const inGroup = (title: string, isIn: (name: string) => boolean): Group => ({
    title,
    entries: all.filter(({ name }) => isIn(name)).map(entryOf),
  });
  const abouts: Readonly<Record<string, string>> = PARENTS;
  return [
    inGroup('Verbs of every day', (name) => Object.hasOwn(VERBS, name)),
    ...nouns.map((noun) =>
      inGroup(abouts[noun] === undefined ? noun : `${noun}: ${abouts[noun]}`, (name) => name.split(' ')[0] === noun),
    ),
    inGroup('Others', (name) => !Object.hasOwn(VERBS, name) && !Object.hasOwn(NOUNS, name)),
  ].filter(({ entries }) => entries.length > 0);
}

function entryOf({ name, command }: LoadedCommand): Entry {
  const { about, example, more } = command;
  return { usage: usageOf(name, command), about, terms: termsOf(command), example: example.split('\n'), more };
}

function usageOf(name: string, { args, options }: DefinedCommand): string {
  const words = Object.entries(args).map(([key, { kind }]) => {
    const shown = key.toUpperCase();
    return kind === 'required' ? shown : kind === 'optional' ? `[${shown}]` : `[${shown}...]`;
  });
  const needed = Object.entries(options).flatMap(([key, { isRequired, value }]) =>
    isRequired === true ? [`--${dashed(key)} ${(value ?? '').toUpperCase()}`] : [],
  );
  return ['drover', name, ...words, ...needed].join(' ');
}

function termsOf({ args, options, isList = false }: DefinedCommand): Entry['terms'] {
  return [
    ...Object.entries(args).map(([key, { about }]) => [key.toUpperCase(), about] as const),
    ...Object.entries(options).map(([key, option]) => {
      const { about, short, value, choices, isNegated = false, default: standard } = option;
      const long = `--${isNegated ? 'no-' : ''}${dashed(key)}${value === undefined ? '' : ` ${value.toUpperCase()}`}`;
      const facts = [
        ...(choices === undefined ? [] : [`one of ${choices.join(', ')}`]),
        ...(standard === undefined ? [] : [`default ${standard}`]),
      ];
      return [
        short === undefined ? long : `-${short}, ${long}`,
        `${about}${facts.length === 0 ? '' : ` (${facts.join('; ')})`}`,
      ] as const;
    }),
    ...(isList
      ? ([
          ['-q, --quiet', 'print names alone'],
          ['--wide', 'print all columns, and cut none'],
        ] as const)
      : []),
  ];
}

/** The whole text of docs/reference/commands.md. */
export async function commandsPage(): Promise<string> {
  const parts = (await groups()).flatMap(({ title, entries }) => [`## ${title}`, ...entries.map(entryText)]);
  return `${[HEAD, ...parts].join('\n\n')}\n`;
}

const HEAD = `# Commands

<!-- Written by \`npm run docs\` from apps/cli/src/commands: change them there. -->

Every command takes \`--json\` (\`--json=name,status\` for these fields alone), \`--color=always|never\` and \`--help\`. The plural of a noun means the
same, and most nouns list when they stand alone: \`drover machine\` is \`drover machine list\`. \`drover completion\` teaches your shell commands, options and names.`;

function entryText({ usage, about, terms, example, more }: Entry): string {
  return [
    `### \`${usage}\``,
    `${about[0]?.toUpperCase() ?? ''}${about.slice(1)}.${more === undefined || more.includes('\n') ? '' : ` ${more}`}`,
    // A text of several lines is laid out by its author.
    ...(more?.includes('\n') === true ? [['```text', more, '```'].join('\n')] : []),
    ...(terms.length === 0 ? [] : [terms.map(([term, means]) => `- \`${term}\`: ${means}`).join('\n')]),
    ['```sh', ...example, '```'].join('\n'),
  ].join('\n\n');
}

/** The whole text of the manual page, in the macros of man(7). */
export async function manualPage(): Promise<string> {
  const lines = [
    '.\\" Written by "npm run docs" from apps/cli/src/commands: change them there.',
    '.TH DROVER 1',
    '.SH NAME',
    'drover \\- keeps coding agents at work and asks people only what needs a person',
    '.SH SYNOPSIS',
    '.B drover',
    '\\fICOMMAND\\fR [\\fIOPTIONS\\fR]',
    '.SH DESCRIPTION',
    'Every command takes \\-\\-json, \\-\\-color and \\-\\-help. The plural of a noun means the same as the noun.',
    ...(await groups()).flatMap(({ title, entries }) => [
      `.SH ${roff(title.toUpperCase())}`,
      ...entries.flatMap(manualEntry),
    ]),
    '.SH EXIT STATUS',
    ...Object.values(EXIT_CODES).flatMap(({ status, meaning }) => ['.TP', `.B ${status}`, roff(meaning)]),
    '.SH ENVIRONMENT',
    ...ENVIRONMENT_ONLY.flatMap(({ name, description }) => ['.TP', `.B ${name}`, roff(description)]),
  ];
  return `${lines.join('\n')}\n`;
}

function manualEntry({ usage, about, terms, example, more }: Entry): readonly string[] {
  return [
    '.SS',
    roff(usage),
    roff(`${about}.${more === undefined ? '' : ` ${more}`}`),
    ...terms.flatMap(([term, means]) => ['.TP', `.B ${roff(term)}`, roff(means)]),
    '.PP',
    '.nf',
    ...example.map((line) => `    ${roff(line)}`),
    '.fi',
  ];
}

/** Escapes what troff reads as its own. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/^([.'])/gmu, '\\&$1')
    .replaceAll(/[^\0-\u007f]/gu, (letter) => `\\[u${codeOf(letter)}]`);
}

function codeOf(letter: string): string {
  return (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
