// Checks that the program takes prompts as the real one does: pastes, typed text, swallowed Enters, queueing, keys that clear.

import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { afterAll, expect, test, vi } from 'vitest';
import { Terminal } from './harness.ts';

const terminal = new Terminal();
afterAll(() => terminal[Symbol.asyncDispose]());

const empty = (screen: string): boolean => /^❯\u00A0 *$/m.test(screen);
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A prompt of exactly so many bytes with tabs, umlauts, CJK, emoji, quotes and lines, without any keyword. */
function promptOf(bytes: number): string {
  const sample = 'say\tnothing “quoted” grüße 日本語 👍🏽 $HOME `x` \\ ; # !\n  indented: é, ❯ and >\n';
  const whole = sample.repeat(Math.ceil(bytes / Buffer.byteLength(sample)));
  const cut = new TextDecoder().decode(Buffer.from(whole).subarray(0, bytes - 1)).replace(/[\uFFFD\s]+$/u, '');
  return cut + 'x'.repeat(bytes - Buffer.byteLength(cut));
}

test.each([64, 1024, 4096, 16_384, 65_536])(
  'given %i bytes of all kinds, when they are pasted with Enter at once, then they are taken verbatim, once',
  async (bytes) => {
    const pane = await terminal.open();
    await pane.ready();
    const prompt = promptOf(bytes);

    await pane.paste(prompt, 'Enter');
    const [taken] = await pane.logged('taken');
    await pane.logged('turn-ended');

    expect(taken).toMatchObject({ sha256: sha256(prompt), bytes, prompt, source: 'typed', pastes: bytes > 64 ? 1 : 0 });
    expect(pane.log().filter((event) => event.event === 'taken')).toHaveLength(1);
    expect(pane.transcript().find((line) => line['type'] === 'user')).toMatchObject({ message: { content: prompt } });
  },
);

test('given typed text with Enter in the same read, when it arrives, then Enter is swallowed and another one submits', async () => {
  const pane = await terminal.open();
  await pane.ready();

  await pane.type('SAY typed', 'Enter');
  await pane.logged('enter-swallowed');
  await pane.until('the text', (screen) => screen.includes('❯\u00A0SAY typed'));
  const before = pane.log().filter((event) => event.event === 'taken');
  await pane.keys('Enter');
  const [taken] = await pane.logged('taken');

  expect(before).toEqual([]);
  expect(taken?.prompt).toBe('SAY typed');
});

test('given the first moment after start, when Enter comes, then it is swallowed and the text stays', async () => {
  const pane = await terminal.open({ args: ['--start-swallow-ms', '3600000'] });
  await pane.ready();

  await pane.paste('SAY early', 'Enter');
  await pane.logged('enter-swallowed');

  // The log is written before the screen is painted.
  await pane.until('the text in the box', (screen) => screen.split('\n')[21]?.trimEnd() === '❯\u00A0SAY early');
  expect(pane.log().map((event) => event.event)).toEqual(['started', 'ready', 'enter-swallowed']);
});

test('given a script to ignore two Enters, when a prompt is pasted, then the third Enter submits it', async () => {
  const pane = await terminal.open({ args: ['IGNOREENTER 2'] });
  await pane.logged('turn-ended');
  await pane.ready();

  await pane.paste('SAY now', 'Enter');
  await pane.logged('enter-swallowed', 1);
  await pane.keys('Enter');
  await pane.logged('enter-swallowed', 2);
  await pane.keys('Enter');
  const taken = await pane.logged('taken', 2);

  expect(taken[1]?.prompt).toBe('SAY now');
});

test('given a long paste and a program that wraps pastes, when it is submitted, then the box shows a placeholder and the model gets tags', async () => {
  const pane = await terminal.open({ args: ['--wrap-pastes'] });
  await pane.ready();
  const lines = ['SAY one', 'b', 'c', 'd'].join('\n');

  await pane.paste(lines);
  await pane.until('the placeholder', (screen) => screen.includes('❯\u00A0[Pasted text #1 +3 lines]'));
  await pane.keys('Enter');
  const [taken] = await pane.logged('taken');

  expect(taken?.prompt).toBe(`<pasted_content id="1">\n${lines}\n</pasted_content>`);
  await pane.until(
    'the answer',
    (screen) => screen.includes('● one') && screen.includes('❯ [Pasted text #1 +3 lines]'),
  );
});

test('given a running turn, when two prompts are submitted, then they are queued, shown, and taken one after the other', async () => {
  const pane = await terminal.open({ args: ['WAITFILE go'] });
  await pane.logged('taken');

  await pane.paste('SAY second', 'Enter');
  await pane.paste('EDIT go x; SAY third', 'Enter');
  await pane.logged('queued', 2);
  const screen = await pane.until('the queue', (text) => text.includes('Press up to edit queued messages'));
  const waiting = pane.log().filter((event) => event.event === 'taken');
  writeFileSync(`${pane.repo}/go`, '');
  const taken = await pane.logged('taken', 3);

  expect(screen).toMatch(/❯ SAY second\n {2}⎿ {2}Queued · /);
  expect(waiting).toHaveLength(1);
  expect(taken.map((event) => [event.prompt, event.source])).toEqual([
    ['WAITFILE go', 'argument'],
    ['SAY second', 'queued'],
    ['EDIT go x; SAY third', 'queued'],
  ]);
});

test('given a queued message, when the arrow up is pressed, then it is back in the box and not taken', async () => {
  const pane = await terminal.open({ args: ['SLOW 3600000'] });
  await pane.logged('taken');
  await pane.paste('SAY later', 'Enter');
  await pane.logged('queued');

  await pane.keys('Up');
  await pane.until('the message in the box', (screen) => screen.includes('❯\u00A0SAY later'));
  await pane.keys('Escape');
  await pane.logged('interrupted');

  expect(pane.log().filter((event) => event.event === 'taken')).toHaveLength(1);
});

test('given text in the box, when it is cleared by Ctrl-U, by Escape twice or by Ctrl-C, then it is empty and hints follow', async () => {
  const pane = await terminal.open();
  await pane.ready();

  await pane.paste('one');
  await pane.keys('C-u');
  await pane.until('the hint for Ctrl-U', (screen) => empty(screen) && screen.includes('ctrl+y to paste deleted text'));
  await pane.paste('two');
  await pane.until('two', (screen) => screen.includes('❯\u00A0two'));
  await pane.keys('Escape');
  await pane.until('the hint for Escape', (screen) => screen.includes('Esc again to clear'));
  await pane.keys('Escape');
  await pane.until('an empty box', empty);
  await pane.paste('three');
  await pane.keys('C-c');
  await pane.until('the hint for Ctrl-C', (screen) => empty(screen) && screen.includes('Press Ctrl-C again to exit'));

  expect(pane.log().map((event) => event.event)).toEqual(['started', 'ready']);
});

test('given a trailing backslash, when Enter is pressed, then a line is begun instead', async () => {
  const pane = await terminal.open();
  await pane.ready();

  await pane.paste('SAY one\\', 'Enter');
  await pane.until('a second line', (screen) => /❯\u00A0SAY one\n *\n─/.test(screen));
  await pane.paste('more', 'Enter');
  const [taken] = await pane.logged('taken');

  expect(taken?.prompt).toBe('SAY one\nmore');
});

test('given text that begins with an exclamation mark or a slash, when it is submitted, then it is no prompt', async () => {
  const pane = await terminal.open();
  await pane.ready();

  await pane.paste('!ls -l', 'Enter');
  await pane.paste(' /nonsense now', 'Enter');
  await pane.until('the message', (screen) => screen.includes('Unknown command: /nonsense'));
  await pane.paste('/tmp/x is a path', 'Enter');
  const [taken] = await pane.logged('taken');

  expect(pane.log().filter(({ event }) => event === 'shell' || event === 'command')).toMatchObject([
    { event: 'shell', text: 'ls -l' },
    { event: 'command', text: '/nonsense' },
  ]);
  expect(taken?.prompt).toBe('/tmp/x is a path');
});

test('given lost and cut texts are requested, when texts come, then nothing and a half of them reach the box, and then all', async () => {
  const pane = await terminal.open();
  await pane.ready();
  await pane.paste('LOSETEXT 1; CUTTEXT 1; SAY requested', 'Enter');
  await pane.logged('turn-ended');

  await pane.paste('abcdef');
  await pane.logged('text-lost');
  await pane.paste('abcdef');
  await pane.until('half of it', (screen) => /^❯\u00A0abc *$/m.test(screen));
  await pane.paste('ghi', 'Enter');

  await vi.waitFor(() => expect(pane.log()).toContainEqual(expect.objectContaining({ prompt: 'abcghi' })), 20_000);
});

test('given blank starts are requested, when the program is started again, then it shows nothing until they are used up', async () => {
  const pane = await terminal.open({ args: ['BLANKSTART 1'] });
  await pane.logged('turn-ended');

  const blank = await terminal.open({ directory: pane.directory });
  await blank.logged('blank');
  const next = await terminal.open({ directory: pane.directory });

  await next.ready();
  expect((await blank.rows()).join('').trim()).toBe('');
});
