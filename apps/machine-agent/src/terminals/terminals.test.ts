import { PERSON_MESSAGE_BYTES_MAX } from '@drover/protocol';
import { expect, test } from 'vitest';
import { makeYard, settled, WORKER } from '../testing/terminal-yard.ts';

const key = (text: string): object => ({ kind: 'keys', bytes: Buffer.from(text).toString('base64') });

test('given a pane, when it is watched, then all of it comes first and then changed rows alone, without secrets', async () => {
  const { clock, pane, open } = makeYard();
  const person = await open(false);
  expect(person.frames).toMatchObject([
    {
      frame: 1,
      columns: 80,
      rows: 2,
      changed: [
        [0, 'one'],
        [1, 'two'],
      ],
      cursor: { x: 1, y: 0 },
    },
  ]);

  pane.rows = ['one', 'a secret\u001b]52;c;eA==\u0007'];
  await clock.pass(200);

  expect(person.frames.slice(1)).toMatchObject([{ frame: 2, changed: [[1, 'a [redacted]']] }]);
});

test('given nobody who watches, when time passes, then nothing looks at the pane and no timer is left', async () => {
  const { clock, pane, open } = makeYard();
  const [one, other] = [await open(false), await open(true)];
  one.leave();
  await clock.pass(1_000);
  expect(pane.captures).toBeGreaterThan(3);
  other.leave();
  await settled();

  const { captures } = pane;
  await clock.pass(60_000);

  expect(pane.captures).toBe(captures);
  expect(clock.timers).toBe(0);
});

test('given many who watch one pane, when it changes, then it is looked at as often as for one', async () => {
  const { clock, pane, open } = makeYard();
  for (let opened = 0; opened < 20; opened += 1) await open(false);

  const before = pane.captures;
  await clock.pass(1_000);

  expect(pane.captures - before).toBeLessThanOrEqual(21);
});

test('given a person who does not say what they have seen, when the pane goes on, then four frames are on their way, nobody looks for more, and the next is the newest', async () => {
  const { clock, pane, open } = makeYard();
  const person = await open(false);
  for (let change = 0; change < 50; change += 1) {
    pane.rows = ['one', `row ${change}`];
    person.say({ kind: 'alive' });
    await clock.pass(60);
  }
  expect(person.frames).toHaveLength(4);
  expect(pane.captures).toBeLessThan(6);

  person.say({ kind: 'seen', frame: 4 });
  await clock.pass(200);

  expect(person.frames).toHaveLength(5);
  expect(person.frames[4]).toMatchObject({ frame: 5, changed: [[1, 'row 49']] });
});

test('given a liar who has seen what was not sent, when the pane goes on, then they are no further ahead than others', async () => {
  const { clock, pane, open } = makeYard();
  const person = await open(false);
  person.say({ kind: 'seen', frame: 1_000_000 });
  for (let change = 0; change < 50; change += 1) {
    pane.rows = ['one', `row ${change}`];
    await clock.pass(60);
  }

  expect(person.frames).toHaveLength(5);
});

test('given a pane into which Drover types, when a person types, then their keys follow as a whole in their order, and they are told', async () => {
  const { clock, done, open, occupy } = makeYard();
  const person = await open(true);
  const release = occupy();
  for (const text of ['h', 'e', 'y']) person.say(key(text));
  person.say({ kind: 'paste', text: 'pasted' });
  person.say(key('!'));
  await clock.pass(1_000);
  expect(done).toEqual([]);
  expect(person.heard).toContainEqual({ kind: 'held', held: true });

  release();
  await settled();

  expect(done).toEqual(['keys hey', 'paste pasted', 'keys !']);
  expect(person.heard.at(-1)).toEqual({ kind: 'held', held: false });
});

test('given more typed than may wait, when the pane is not free, then the terminal ends, and nothing of it is typed', async () => {
  const { done, open, occupy } = makeYard();
  const person = await open(true);
  const release = occupy();
  for (let typed = 0; typed < 20; typed += 1) person.say(key('x'.repeat(4_000)));
  await settled();

  expect(person.heard.at(-1)).toMatchObject({ kind: 'ended', code: 'too-much' });
  expect(person.isClosed).toBe(true);
  release();
  await settled();
  expect(done).toEqual([]);
});

test('given a pane that is replaced, when a person types or watches, then it ends, and no key reaches the next life', async () => {
  const { clock, pane, done, open } = makeYard();
  const [typing, watching] = [await open(true), await open(false)];
  pane.isGone = true;

  typing.say(key('rm\r'));
  await clock.pass(200);

  expect(done).toEqual([]);
  for (const person of [typing, watching])
    expect(person.heard.at(-1)).toMatchObject({ kind: 'ended', code: 'pane-gone' });
});

test('given a person who only watches, when they type or resize, then it ends and nothing happens', async () => {
  const { done, open } = makeYard();
  for (const message of [key('x'), { kind: 'paste', text: 'x' }, { kind: 'size', columns: 80, rows: 20 }]) {
    const person = await open(false);
    person.say(message);
    await settled();
    expect(person.heard.at(-1)).toMatchObject({ kind: 'ended', code: 'watches' });
  }

  expect(done).toEqual([]);
});

test('given two people with sizes, when both have left, then the pane has its size of before, and not earlier', async () => {
  const { done, open } = makeYard();
  const [one, other] = [await open(true), await open(true)];
  one.say({ kind: 'size', columns: 100, rows: 30 });
  other.say({ kind: 'size', columns: 90, rows: 20 });
  one.leave();
  await settled();
  expect(done).toEqual(['size 100x30', 'size 90x20']);

  other.leave();
  await settled();

  expect(done).toEqual(['size 100x30', 'size 90x20', 'size of before %1']);
});

test('given a person who falls silent, when their time is over, then the terminal ends by itself', async () => {
  const { clock, open } = makeYard();
  const person = await open(true);

  await clock.pass(14_000);
  expect(person.isClosed).toBe(false);
  await clock.pass(10_000);

  expect(person.isClosed).toBe(true);
});

test('given sixty-four open terminals, when one more is wanted, then it is refused', async () => {
  const { terminals, open } = makeYard();
  for (let opened = 0; opened < 64; opened += 1) await open(false);

  await expect(terminals.open({ terminal: 'x', types: false, worker: WORKER })).rejects.toThrow('64 terminals open');
});

test('given what no program of people sends, when it comes in, then the terminal ends', async () => {
  const { open } = makeYard();
  for (const message of ['{', '[]', '{"kind":"keys"}', 'x'.repeat(PERSON_MESSAGE_BYTES_MAX)]) {
    const person = await open(true);
    person.say({ kind: 'alive', message });
    expect(person.isClosed).toBe(false);
    person.say(JSON.parse(JSON.stringify([message])) as object);
    expect(person.heard.at(-1)).toMatchObject({ kind: 'ended', code: 'bad-message' });
  }
});

test('given an agent that starts, when a former life has left a size behind, then every server gives it back', async () => {
  const { terminals, done } = makeYard();

  terminals.start();
  await settled();

  expect(done).toEqual(['size of before everywhere']);
});
