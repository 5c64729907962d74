/** Checks that text that an agent prints cannot change what Drover believes. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BUILT_IN_PROFILES, detect, labelOf, parseAnsi } from '../src/index.ts';
import type { AgentState } from '@drover/core';
import type { Row } from '../src/index.ts';
import { findBox } from '../src/composer/box.ts';
import { findDialog } from '../src/dialog/dialog.ts';
import { viewOf } from '../src/regions.ts';
import { captureOf, CAPTURES, inputOf, profileOf } from './captures.ts';
import type { Capture } from './captures.ts';
import { answerRow, paint, plainRow } from './paint.ts';

/**
 * Captures in which a program runs and something is on the screen. A sidebar is left out: answers stand beside it, and here over the whole row.
 * So is a hint under a dialog at start: an agent that does not run yet prints nothing between the two.
 */
const LIVE = CAPTURES.filter(
  ({ name, file }) =>
    !['exited_shell', 'dead', 'starting', 'unknown'].includes(file.label) &&
    !/^copilot\/sidebar|^claude-2197\/ctrl-c-twice/u.test(name),
);

/** Every row that any program ever painted, without its colours: prompts, dialogs, spinners, errors, footers. */
const QUOTED_SCREENS = CAPTURES.map(({ ansi }) => parseAnsi(ansi).map((row) => row.text));

const ALL_ROWS = [...new Set(QUOTED_SCREENS.flat())];

/** The rows among them that a rule looks for, by rule: the most telling things an agent could quote. */
const TELLING_ROWS = [...BUILT_IN_PROFILES.values()].flatMap(({ screen }) => {
  const { failed, retrying, busy, starting, panels, interrupted, dialog } = screen;
  const signs = [failed, retrying, busy, starting, panels, interrupted, dialog.bare].flat();
  const patterns = [dialog.option, ...signs.map(({ matches }) => matches)].filter((pattern) => pattern !== undefined);
  const rows = patterns.map((pattern) => ALL_ROWS.filter((text) => pattern.test(text)));
  return rows.filter((found) => found.length > 0);
});

/** Styles in which programs draw the markdown of an answer. */
const ANSWER_STYLES = [
  { bold: true },
  { italic: true },
  { fg: 153 },
  { fg: 231 },
  { fg: 211, bold: true },
  { fg: '#89b4fa' },
  { underline: true, fg: 12 },
] as const;

const printed = fc.oneof(
  fc.array(
    fc.constantFrom(...TELLING_ROWS).chain((rows) => fc.constantFrom(...rows)),
    { minLength: 1, maxLength: 4 },
  ),
  fc.array(
    fc.string({ unit: 'grapheme', maxLength: 60 }).map((text) => text.replaceAll(/\p{Cc}/gu, ' ')),
    { minLength: 1, maxLength: 8 },
  ),
  fc
    .tuple(fc.constantFrom(...QUOTED_SCREENS), fc.nat(120), fc.integer({ min: 1, max: 24 }))
    .map(([rows, from, count]) => {
      const start = from % rows.length;
      return rows.slice(start, start + count);
    }),
);

test('given any text printed above the live region, when the screen is judged, then the state stays', () => {
  fc.assert(
    fc.property(fc.constantFrom(...LIVE.map(({ name }) => name)), printed, (name, lines) => {
      const capture = captureOf(name);
      const before = detect(profileOf(capture), inputOf(capture)).state;

      const after = detect(profileOf(capture), withPrinted(capture, lines.map(plainRow))).state;

      expect(essence(after)).toEqual(essence(before));
    }),
    { numRuns: 600 },
  );
});

test('given an answer in colours that quotes any screen, when the screen is judged, then the state stays', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...LIVE.map(({ name }) => name)),
      printed,
      fc.constantFrom(...ANSWER_STYLES),
      (name, lines, style) => {
        const capture = captureOf(name);
        const before = detect(profileOf(capture), inputOf(capture)).state;

        const after = detect(
          profileOf(capture),
          withPrinted(
            capture,
            lines.map((line) => answerRow(line, style)),
          ),
        ).state;

        expect(essence(after)).toEqual(essence(before));
      },
    ),
    { numRuns: 600 },
  );
});

/** The capture with lines printed as low as an agent can print: right above what is alive. */
function withPrinted(capture: Capture, lines: readonly Row[]): ReturnType<typeof inputOf> {
  const input = inputOf(capture);
  const rows = parseAnsi(capture.ansi);
  const at = liveFrom(capture, rows);
  // A dialog that fills the screen leaves no room for printed text.
  if (at === 0) return input;
  const { cursorRow: cursor } = input.facts;
  const cursorRow = cursor === null || cursor < at ? cursor : cursor + lines.length;
  const painted = paint([...rows.slice(0, at), ...lines, ...rows.slice(at)]);
  return { ...input, capture: painted, facts: { ...input.facts, cursorRow } };
}

/** The first row of the dialog; of the composer; of the last block, where that tells of an error or of retries. */
function liveFrom(capture: Capture, rows: readonly Row[]): number {
  const profile = profileOf(capture);
  const { title, cursorRow } = inputOf(capture).facts;
  const { state } = detect(profile, inputOf(capture));
  if ('dialog' in state) return Math.max((findDialog(profile, rows, { below: null, cursorRow })?.top ?? 1) - 1, 0);
  const box = findBox(profile, rows, cursorRow);
  const view = viewOf(profile, rows, { title, box });
  const telling = state.kind === 'error' || (state.kind === 'ready' && state.after === 'interrupted');
  return telling ? Math.max(view.turn < 0 ? 0 : view.turn, 0) : view.end;
}

/** Returns what must not change: everything a decision or a key press rests on. */
function essence(state: AgentState): unknown {
  const dialog = 'dialog' in state ? { kind: state.dialog.kind, options: state.dialog.options } : null;
  return { label: labelOf(state), composer: 'composer' in state ? state.composer : null, dialog };
}
