/** Tests that every command that Drover tells a person to type exists, with its options. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { loadCommands } from '../src/commands/load.ts';
import { quotedCommands, quotedProblems, tableOf } from './support/quoted-commands.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '../../..');
/** Places that tell people commands: the product's sources, and the pages for its users. Decision records tell history. */
const PLACES = ['{packages,apps}/*/src/**/*.ts', '{packages,apps}/*/README.md', 'README.md', 'docs/*.md'];

const table = tableOf(await loadCommands(undefined));
const texts = globSync(PLACES, { cwd: REPOSITORY }).map((file) => ({
  file,
  text: readFileSync(path.join(REPOSITORY, file), 'utf8'),
}));

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
  ['try:\n`drover policy list`', '2: "drover policy list": "policy" has no command "list"'],
  ['`drover profiles list`', '1: "drover profiles list": "profiles" takes no argument, and has no command "list"'],
  ["['drover recover adam --skip']", '1: "drover recover adam --skip": "recover" has no option --skip'],
  ['look, or drover status -n', '1: "drover status -n": "status" has no option -n'],
  ['| `drover policy show\\|list` |', '1: "drover policy show\\|list": "policy" has no command "list"'],
])('given the text %j, when it is checked, then it is told what does not exist', (text, problem) => {
  expect(quotedProblems(text, table)).toEqual([problem]);
});

test.each([
  'give it to "drover start --prompt-file task.md --json"',
  'drover start --prompt "Add a --version flag"',
  '`drover queue list --all -n 5`, then `drover up --no-patrol`',
  '$(drover attach adam --print) && drover --help',
  'restart it with this drover, or run `drover help queue`',
  '| `drover policy show\\|check` |',
])('given the text %j, when it is checked, then all of it exists', (text) => {
  expect(quotedProblems(text, table)).toEqual([]);
});
