// Checks that names in the repository use the words of the glossary.
import { expect, test } from 'vitest';
import { readText } from '../source/rooms.ts';
import { parseSource } from '../source/source.ts';
import { glossaryProblems, readGlossary, storedNameProblems } from './glossary.ts';

const glossary = readGlossary(readText('docs/glossary.md'));

test('given the glossary, when it is read, then it has its rows and retired words', () => {
  const retired = glossary.flatMap((row) => row.not.map((form) => form.text));

  expect(glossary.length).toBeGreaterThan(20);
  expect(retired).toContain('…seat…');
  expect(retired).toContain('…order…');
});

const PAGE = `## Words

| say     | for          | not                                          | fine        |
| ------- | ------------ | -------------------------------------------- | ----------- |
| request | what is asked | \`…order…\`, \`look\`, \`send…\`, \`…past\`        | \`order-by\`, \`inOrder\`: a sequence |
| mailbox | what waits   | \`Words…\`, \`words.ts\`, \`words…()\`             |             |
`;
const small = readGlossary(PAGE);

test.each([
  ['a function', 'function orderRestart() {}'],
  ['a function in a constant', 'const giveOrder = () => 1;'],
  ['a method', 'class A { orderRestart() {} }'],
  ['a type', 'type RestartOrder = 1;'],
  ['an interface', 'interface Orders {}'],
  ['a class', 'export class OrderBook {}'],
  ['a constant', 'export const FIRST_ORDER = 1;'],
  ['a parameter', 'function a(order: string) {}'],
  ['a parameter with a default', 'const a = (order = 1) => order;'],
  ['a rest parameter', 'function a(...orders: string[]) {}'],
  ['a parameter of a constructor', 'class A { constructor(order: string) {} }'],
  ['the whole name', 'const look = 1;'],
  ['the start of a name', 'function sendLate() {}'],
  ['the end of a name', 'function sayPast() {}'],
  ['a type of that form', 'type WordsOfPeople = 1;'],
  ['a function of that form', 'function wordsOf() {}'],
  ['a field of an object', 'const a = { order: 1 };'],
  ['a quoted field', "const a = { 'order:': 1 };"],
  ['a field of a type', 'type A = { readonly orderId: string };'],
  ['a private field of a class', 'class A { #order = 1; }'],
  ['a private method', 'class A { #order() {} }'],
  ['a method of a type', 'interface A { order(): void }'],
  ['a kind', "const a = { kind: 'restart-order' };"],
  ['a kind of a type', "type A = 'order:open';"],
  ['a kind of a schema', "const a = z.literal('order');"],
  ['one of many kinds of a schema', "const a = z.enum(['chaos', 'order']);"],
  ['a column', 'const a = `create table a (order_id text)`;'],
])('given a retired word in %s, when it is checked, then that is a problem', (_, text) => {
  expect(glossaryProblems(parseSource('packages/a/src/a.ts', text), small)).toHaveLength(1);
});

test.each(['packages/a/src/order.ts', 'packages/a/src/restart-orders.test.ts', 'packages/a/src/words.ts'])(
  'given the file %s, when it is checked, then that is a problem',
  (file) => {
    expect(glossaryProblems(parseSource(file, ''), small)).toHaveLength(1);
  },
);

test.each([
  ['an exception', 'function orderBy() {}; function inOrder() {}'],
  ['another word that begins alike', 'function border() {}; const ordered = 1; const looking = 1;'],
  ['more than the whole name', 'const lookAgain = 1;'],
  ['the start of a name in the middle', 'function resend() {}; function didSend() {}'],
  ['a form of types in a parameter', 'function a(words: string[]) {}'],
  ['a local name', 'function a() { const order = 1; return order; }'],
])('given %s, when it is checked, then that is fine', (_, text) => {
  expect(glossaryProblems(parseSource('packages/a/src/a.ts', text), small)).toEqual([]);
});

test('given a migration, when it is checked, then a column and a key of JSON with a retired word are problems, comments are not', () => {
  const sql = "-- In this order.\ncreate table a (order_id uuid);\nselect a->'look' from a order by a;";

  expect(storedNameProblems('migrations/1.sql', sql, small)).toEqual([
    expect.stringContaining('migrations/1.sql:2: stored name "order_id"'),
    expect.stringContaining('migrations/1.sql:3: stored name "look"'),
  ]);
});

/** Problems with a field `op` in that file. */
function problemsIn(file: string): number {
  return glossaryProblems(parseSource(file, 'const a = { op: 1 };'), glossary).length;
}

test('given a word of a foreign protocol, when it is checked, then it is fine where that protocol is spoken, and nowhere else', () => {
  expect(problemsIn('apps/chat-bot/src/channels/discord/gateway.ts')).toBe(0);
  expect(problemsIn('apps/chat-bot/src/cards/card.ts')).toBe(1);
});
