import { expect, test } from 'vitest';
import { differenceOf, SILENT, wrongMs, type Facts } from './differences.ts';

type Exchange = Facts['exchanges'][number];

/** The model was asked, and had answered a second later; Drover believed "processing" from 2 s on. */
const FIRST = { at: 0, endedAt: 1_000 };

function question(at: number, endedAt: number | null = null): Exchange {
  return { at, endedAt };
}

/** The receipt of a text that was typed at a time, with each Enter. */
function text(
  typedAt: number,
  outcome = 'delivered',
  entered: readonly number[] = [typedAt],
): Facts['receipts'][number] {
  const typed = [
    { step: 'preflight', at: typedAt - 10 },
    { step: 'typed', at: typedAt },
  ];
  return { outcome, steps: [...typed, ...entered.map((at) => ({ step: 'entered', at }))] };
}

test.each<[string, number, number, readonly Exchange[], Facts['receipts']]>([
  ['a text entered before, about which the program asks 20 s later', 0, 22_000, [question(21_900)], [text(1_500)]],
  [
    'a text entered while the model spoke, about which it asks late',
    0,
    22_000,
    [question(22_000)],
    [text(500, 'queued')],
  ],
  ['a text of the trial that leads to a question after 20 s', 20_000, 22_600, [question(22_500)], [text(22_000)]],
  ['a question that no text led to', 20_000, 22_000, [question(22_000)], []],
  ['a text entered before, and no question', 20_000, 22_000, [], [text(1_500)]],
  ['a question answered between two looks', 18_000, 30_100, [question(12_000, 12_100)], [text(1_500)]],
  // A loaded machine notes Enter after the program has asked already.
  ['the text of the question before', 20_000, 22_000, [question(22_000)], [text(-100, 'delivered', [50])]],
  ['an Enter that was swallowed', 10_000, 22_000, [question(22_000)], [text(1_500, 'delivered', [1_500, 12_000])]],
  ...['lost', 'partial', 'unknown'].map((outcome): [string, number, number, Exchange[], Facts['receipts']] => [
    `a text that was ${outcome}`,
    20_000,
    22_000,
    [question(22_000)],
    [text(1_500, outcome)],
  ]),
])('given %s, when the belief has ended, then it was wrong for %i ms', (_what, wrong, to, questions, receipts) => {
  const stretch = { difference: SILENT, from: 2_000, to, asked: 1 };

  expect(wrongMs(stretch, { exchanges: [FIRST, ...questions], receipts })).toBe(wrong);
});

test('given a belief "ready" while the model speaks, when questions and texts come meanwhile, then all of it was wrong', () => {
  const spoke = { difference: 'the model spoke and Drover believed "ready"', from: 2_000, to: 22_000, asked: 1 };

  expect(wrongMs(spoke, { exchanges: [FIRST, question(12_000)], receipts: [text(2_000)] })).toBe(20_000);
});

test.each([
  ['processing', 'answered', SILENT],
  ['processing', 'cut-off', SILENT],
  ['processing', 'no', ''],
  ['ready', 'no', 'the model spoke and Drover believed "ready"'],
  ['permission', 'no', 'the model spoke and Drover believed "permission"'],
  ['ready', 'answered', ''],
] as const)('given a screen believed "%s", when the model has answered: %s, then they differ so: "%s"', (...given) => {
  const [screen, ended, difference] = given;

  expect(differenceOf({ screen }, { action: 'say', ended })).toBe(difference);
});
