/** Tests the help of every command, as a terminal of 80 columns shows it, and the forms in which a noun is typed. */
import { expect, test } from 'vitest';
import { LISTS, pluralOf } from '../commands/index.ts';
import { loadCommands } from '../commands/load.ts';
import { createProgram } from './program.ts';

/** Types words after `drover`. @returns what was printed, and the words of the command that ran. */
async function typed(words: readonly string[]): Promise<{ readonly text: string; readonly ran: string | null }> {
  const said: string[] = [];
  let ran: string | null = null;
  const program = createProgram({
    commands: await loadCommands(words[0]),
    run: ({ name }) => {
      ran = name;
      return Promise.resolve();
    },
    version: '0',
    print: (text) => void said.push(text),
    note: (text) => void said.push(text),
  });
  await program.parseAsync(words, { from: 'user' }).catch(() => {});
  return { text: said.join(''), ran };
}

const ALL = (await loadCommands(undefined)).map(({ name }) => name);
/** Each command, each list, and each word that only holds others. */
const SHOWN = [
  ...new Set(ALL.flatMap((name) => name.split(' ').map((_, index, words) => words.slice(0, index + 1).join(' ')))),
  ...[...LISTS].map((noun) => `${noun} list`),
];

test('given no command, when the help is asked for, then it fits 30 lines of 80 columns', async () => {
  const { text } = await typed(['--help']);
  const lines = text.trimEnd().split('\n');

  expect(lines.length).toBeGreaterThan(20);
  expect(lines.length).toBeLessThanOrEqual(30);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

test('given no command, when the help is asked for, then it names each first word once', async () => {
  const { text } = await typed(['--help']);
  const [usage, ...sections] = text.split('\n\n');
  const words = sections
    .slice(0, 2)
    .join(' ')
    .split(/[^\w-]+/u);

  expect(usage).toContain('Usage: drover COMMAND');
  for (const name of new Set(ALL.map((one) => one.split(' ')[0] ?? ''))) expect(words).toContain(name);
});

test('given every command, when its help is asked for, then it fits 80 columns and says how it is typed', async () => {
  const problems: string[] = [];
  for (const name of SHOWN) {
    const { text } = await typed([...name.split(' '), '--help']);
    const lines = text.split('\n');
    const examples = lines.slice(lines.indexOf('Examples:') + 1);
    problems.push(...lines.filter((line) => line.length > 80).map((line) => `too wide: ${line}`));
    if (!text.startsWith(`Usage: drover ${name}`)) problems.push(`${name} has the usage of another command`);
    if (ALL.some((one) => one === name) && !examples.some((line) => /^ {2}.*drover /u.test(line)))
      problems.push(`${name} has no example`);
  }

  expect(SHOWN.length).toBeGreaterThan(120);
  expect(problems).toEqual([]);
});

test.each([
  [
    'start --worker adam --worker bea --prompt x',
    "option '--worker <name>' argument 'bea' is invalid. It is given twice",
  ],
  ['logs adam -n 3 --limit 4', "argument '4' is invalid. It is given twice"],
  ['review --interface diff --interface stat', "argument 'stat' is invalid. It is given twice"],
  ['review --interface none', "argument 'none' is invalid. Allowed choices are"],
  ['start --prompt --json', "argument '--json' is invalid. It is an option: write the text after --prompt."],
  ['logs adam -n -f', "argument '-f' is invalid. It is an option: write the count after --limit."],
])('given "drover %s", when it is typed, then it is refused and says why', async (line, says) => {
  const { text, ran } = await typed(line.split(' '));

  expect(ran).toBeNull();
  expect(text).toContain(says);
});

test.each([
  ['start --prompt --fix', 'start'],
  ['run change goal --set a=1 --set b=2', 'run'],
  ['escalation answer 1a2b --text -', 'answer'],
])(
  'given "drover %s", when it is typed, then a value that is no option, and a value of each repetition, are taken',
  async (line, name) => {
    const { ran } = await typed(line.split(' '));

    expect([name, `escalation ${name}`]).toContain(ran);
  },
);

test.each([...LISTS])('given the noun "%s", when it is typed in each of its forms, then it lists', async (noun) => {
  const words = noun.split(' ');
  const plural = [...words.slice(0, -1), pluralOf(words.at(-1) ?? '')];

  for (const form of [words, [...words, 'list'], plural, [...plural, 'list']])
    expect(await typed(form)).toEqual({ text: '', ran: noun });
});

test('given the plural of a noun, when a verb follows, then it is the same verb, and the help names the singular', async () => {
  expect(await typed(['machines', 'show', 'maple'])).toEqual({ text: '', ran: 'machine show' });
  expect((await typed(['machines', 'show', '--help'])).text).toContain('Usage: drover machine show ');
});

test.each([
  [['help'], 'Usage: drover COMMAND'],
  [['help', 'worker', 'checkpoint', 'show'], 'Usage: drover worker checkpoint show '],
  [['help', 'frobnicate'], "unknown command 'frobnicate'"],
])('given %j, when it is read, then the help of that command is printed', async (words, text) => {
  expect((await typed(words)).text).toContain(text);
});

test.each([
  'checkpoints',
  'train',
  'people',
  'tokens',
  'errors',
  'export',
  'agent',
  'coordinator',
  'recover',
  'config',
])('given the word "%s", which no command has, when it is typed, then it is unknown', async (word) => {
  const { text, ran } = await typed([word]);

  expect(ran).toBeNull();
  expect(text).toContain(`unknown command '${word}'`);
});
