/** Checks that output of tmux is understood, however the stream is cut and whatever panes paint. */
import { array, assert, constantFrom, type Arbitrary, oneof, property, record, string } from 'fast-check';
import { nat, boolean, tuple } from 'fast-check';
import { expect, test } from 'vitest';

import { type ControlEvent, ControlParser } from './parser.ts';

const NEWS = '%message secret %1';
const parser = (): ControlParser => new ControlParser((line) => line === NEWS);

interface Said {
  readonly bytes: string;
  readonly means: { kind: string; body?: string; ok?: boolean; mine?: boolean; line?: string };
}

const bodyLine = oneof(
  string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', '')),
  constantFrom('%end 1 2 3', '%begin 1 2 1', '%exit', '%error 0 0 1', '', '%end', '%message other'),
);

/** Reply with a time that `bodyLine` cannot write. */
const reply: Arbitrary<Said> = record({
  lines: array(bodyLine, { maxLength: 5 }),
  number: nat(999),
  mine: boolean(),
  ok: boolean(),
}).map(({ lines, number, mine, ok }) => {
  const guard = `1795300094 ${number} ${mine ? 1 : 0}`;
  const all = [`%begin ${guard}`, ...lines, `${ok ? '%end' : '%error'} ${guard}`, ''];
  return { bytes: all.join('\n'), means: { kind: 'reply', body: lines.join('\n'), ok, mine } };
});

const notification: Arbitrary<Said> = constantFrom('%window-renamed @0 x', '%sessions-changed', '%message é').map(
  (line) => ({ bytes: `${line}\n`, means: { kind: 'notification', line } }),
);

test('given any replies and notifications cut anywhere, when they are parsed, then each comes out as it went in', () => {
  const said = array(oneof(reply, notification), { maxLength: 6 });
  assert(
    property(tuple(said, array(nat(), { maxLength: 8 })), ([things, cuts]) => {
      const bytes = Buffer.from(things.map((thing) => thing.bytes).join(''));

      const events = chunks(bytes, cuts).flatMap(
        (() => {
          const one = parser();
          return (chunk: Buffer) => one.feed(chunk);
        })(),
      );

      expect(events.map(readable)).toEqual(things.map((thing) => thing.means));
    }),
    { numRuns: 2_000 },
  );
});

test('given news within a reply, when it is parsed, then it is told and kept out of the body', () => {
  const bytes = `%begin 1 2 1\none\n${NEWS}\ntwo\n%end 1 2 1\n`;

  const events = parser().feed(Buffer.from(bytes));

  expect(events.map(readable)).toEqual([
    { kind: 'notification', line: NEWS },
    { kind: 'reply', mine: true, ok: true, body: 'one\ntwo' },
  ]);
});

test('given a screen that paints the very end of its reply, when it is parsed, then the rest is no event until the next begin', () => {
  const bytes = '%begin 1 2 1\na\n%end 1 2 1\nrest\n%end 1 2 1\n%begin 1 3 1\n%end 1 3 1\n';

  const events = parser().feed(Buffer.from(bytes));

  expect(events.map(readable)).toEqual([
    { kind: 'reply', mine: true, ok: true, body: 'a' },
    { kind: 'notification', line: '%end 1 2 1' },
    { kind: 'reply', mine: true, ok: true, body: '' },
  ]);
});

test('given the farewell with or without a reason, when it is parsed, then it is an exit', () => {
  expect(parser().feed(Buffer.from('%exit\n%exit server exited\n'))).toEqual([{ kind: 'exit' }, { kind: 'exit' }]);
});

function chunks(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
}

function readable(event: ControlEvent): Said['means'] {
  return event.kind === 'reply' ? { ...event, body: event.body.toString() } : event;
}
