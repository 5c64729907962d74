import { expect, test } from 'vitest';
import { differenceOf, SILENT, wrongMs, type Facts, type Stretch } from './differences.ts';

/** The model was asked, and had answered a second later. */
const FIRST = { at: 0, endedAt: 1_000 };

/** Drover believed "processing" from 2 s on. */
const silent = (to: number, change: Partial<Stretch> = {}): Stretch => ({
  difference: SILENT,
  from: 2_000,
  to,
  asked: 1,
  ...change,
});

test('given a text entered before the belief, when the program asks only 20 s later, then nothing was wrong', () => {
  const facts = { exchanges: [FIRST, { at: 21_900, endedAt: null }], receipts: [text(1_500)] };

  expect(wrongMs(silent(22_000), facts)).toBe(0);
});

test('given a belief wrong for 20 s, when a text of the trial leads to a question, then the time up to its Enter was wrong', () => {
  const facts = { exchanges: [FIRST, { at: 22_500, endedAt: null }], receipts: [text(22_000)] };

  expect(wrongMs(silent(22_600), facts)).toBe(20_000);
});

test('given a question that no text led to, when it ends the belief, then all of the time before was wrong', () => {
  expect(wrongMs(silent(22_000), { exchanges: [FIRST, { at: 22_000, endedAt: null }], receipts: [] })).toBe(20_000);
});

test('given a text entered before the belief, when no question follows, then all of the time was wrong', () => {
  expect(wrongMs(silent(22_000), { exchanges: [FIRST], receipts: [text(1_500)] })).toBe(20_000);
});

test('given a question answered between two looks, when the belief stays, then the time after the answer was wrong', () => {
  const facts = { exchanges: [FIRST, { at: 12_000, endedAt: 12_100 }], receipts: [text(1_500)] };

  expect(wrongMs(silent(30_100), facts)).toBe(18_000);
});

test('given the text of the question before, when another question ends the belief, then that text excuses nothing', () => {
  // A loaded machine notes Enter after the program has asked already.
  const late = text(-100, { enteredAt: 50 });

  expect(wrongMs(silent(22_000), { exchanges: [FIRST, { at: 22_000, endedAt: null }], receipts: [late] })).toBe(20_000);
});

test('given a text entered while the model spoke, when the program asks about it late, then nothing was wrong', () => {
  const facts = { exchanges: [FIRST, { at: 22_000, endedAt: null }], receipts: [text(500, { outcome: 'queued' })] };

  expect(wrongMs(silent(22_000), facts)).toBe(0);
});

test.each(['lost', 'partial', 'unknown'])(
  'given a text that was %s, when a question follows, then it excuses nothing',
  (outcome) => {
    const facts = { exchanges: [FIRST, { at: 22_000, endedAt: null }], receipts: [text(1_500, { outcome })] };

    expect(wrongMs(silent(22_000), facts)).toBe(20_000);
  },
);

test('given an Enter that was swallowed, when a later one leads to the question, then the time before it was wrong', () => {
  const [receipt] = [text(1_500)];
  const twice = { ...receipt, steps: [...receipt.steps, { step: 'entered', at: 12_000 }] };

  expect(wrongMs(silent(22_000), { exchanges: [FIRST, { at: 22_000, endedAt: null }], receipts: [twice] })).toBe(
    10_000,
  );
});

test('given a belief "ready" while the model speaks, when questions and texts come meanwhile, then all of it was wrong', () => {
  const spoke = silent(22_000, { difference: 'the model spoke and Drover believed "ready"' });

  expect(wrongMs(spoke, { exchanges: [FIRST, { at: 12_000, endedAt: null }], receipts: [text(2_000)] })).toBe(20_000);
});

test.each([
  ['processing', 'answered', SILENT],
  ['processing', 'cut-off', SILENT],
  ['processing', 'no', ''],
  ['ready', 'no', 'the model spoke and Drover believed "ready"'],
  ['permission', 'no', 'the model spoke and Drover believed "permission"'],
  ['ready', 'answered', ''],
] as const)(
  'given a screen believed "%s", when the model has answered: %s, then they differ so: "%s"',
  (screen, ended, difference) => {
    expect(differenceOf({ screen }, { action: 'say', ended })).toBe(difference);
  },
);

/** The receipt of a text that was typed at a time. */
function text(
  typedAt: number,
  { enteredAt = typedAt, outcome = 'delivered' }: { enteredAt?: number; outcome?: string } = {},
): Facts['receipts'][number] {
  const steps = [
    { step: 'preflight', at: typedAt - 10 },
    { step: 'typed', at: typedAt },
    { step: 'entered', at: enteredAt },
  ];
  return { outcome, steps };
}
