/** Tests that every command that Drover tells a person to type exists, with its options. */
import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { loadCommands } from '../../src/commands/load.ts';
import { quotedCommands, quotedProblems, tableOf } from '../support/quoted-commands.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '../../../..');
/**
 * Places that tell people commands: the product's sources, the pages for its users and for those who work on it, files for servers, tools.
 * Decision records tell history.
 */
const PLACES = [
  '{packages,apps}/*/src/**/*.ts',
  '{packages,apps}/*/README.md',
  '*.{md,yml}',
  'docs/{*.md,{proof,guides}/*.md}',
  '{infra,examples}/**/*',
  '{tools,bench}/**/*.{ts,md,sh}',
];

const table = tableOf(await loadCommands(undefined));
const texts = globSync(PLACES, { cwd: REPOSITORY })
  .filter(isFile)
  .map((file) => ({
    file,
    text: readFileSync(path.join(REPOSITORY, file), 'utf8'),
  }));

function isFile(file: string): boolean {
  return statSync(path.join(REPOSITORY, file)).isFile();
}

test('given every source and page, when they quote commands, then each command and option exists', () => {
  const problems = texts.flatMap(({ file, text }) => quotedProblems(text, table).map((one) => `${file}:${one}`));

  expect(problems).toEqual([]);
});

test('given all of them, when quoted commands are counted, then most commands are among them: the check reads what it should', () => {
  const typed = texts.flatMap(({ text }) => quotedCommands(text).map((one) => one.split(' ')[0]));

  expect(typed.length).toBeGreaterThan(400);
  expect(new Set(typed).size).toBeGreaterThan(25);
});

test.each([
  ['run "drover repair" now', '1: "drover repair": there is no such command'],
  ['try:\n`drover debug policy list`', '2: "drover debug policy list": "debug policy" has no command "list"'],
  ['`drover server list`', '1: "drover server list": "server" has no command "list"'],
  ['`drover machines`', '1: "drover machines": there is no such command'],
  ['`drover profile lst`', '1: "drover profile lst": "profile" takes no argument, and has no command "lst"'],
  ['`drover help worker lst`', '1: "drover help worker lst": "worker" takes no argument, and has no command "lst"'],
  [
    "['drover worker recover adam --skip']",
    '1: "drover worker recover adam --skip": "worker recover" has no option --skip',
  ],
  ['  ExecStart=\n    drover migrate --admin ada', '2: "drover migrate --admin ada": there is no such command'],
  ['`drover status`, then `drover repair`', '1: "drover repair": there is no such command'],
  ['look, or drover status -n', '1: "drover status -n": "status" has no option -n'],
  [
    '| `drover debug policy show\\|list` |',
    '1: "drover debug policy show\\|list": "debug policy" has no command "list"',
  ],
])('given the text %j, when it is checked, then it is told what does not exist', (text, problem) => {
  expect(quotedProblems(text, table)).toEqual([problem]);
});

test.each([
  'give it to "drover start --prompt-file task.md --json"',
  'drover start --prompt "Add a --version flag"',
  '`drover queue list --all -n 5`, then `drover up --no-patrol`',
  '$(drover attach adam --print) && drover --help',
  'restart it with this drover, or run `drover help queue` or `drover help exit-codes`',
  '`drover worker checkpoint adam`, then `drover worker checkpoint list adam -n 5`',
  '| `drover debug policy show\\|check` |',
])('given the text %j, when it is checked, then all of it exists', (text) => {
  expect(quotedProblems(text, table)).toEqual([]);
});
