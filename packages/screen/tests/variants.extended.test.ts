/** Checks that a screen is judged the same on another day: in a taller pane, with other words, numbers, models, frames, themes. */
import { expect, test } from 'vitest';
import { judge, parseAnsi, PLAIN } from '../src/index.ts';
import type { Colour, Row, Style } from '../src/index.ts';
import { captureOf, CAPTURES, inputOf, profileOf } from './captures.ts';
import type { Capture } from './captures.ts';
import { findBox } from '../src/composer/box.ts';
import { viewOf } from '../src/regions.ts';
import { paint } from './paint.ts';

/** A screen of another day: its rows, by how many the cursor moved, and its title. */
interface Variant {
  readonly rows: readonly Row[];
  readonly moved?: number;
  readonly title?: string;
}

type Change = (rows: readonly Row[], capture: Capture) => Variant;

const PARSED = new Map(CAPTURES.map((capture) => [capture, parseAnsi(capture.ansi)]));

const BLANKS: readonly Row[] = Array.from({ length: 12 }, () => ({ text: '', runs: [] }));

test.each<[string, Change]>([
  ['a taller pane', taller],
  ['half of the conversation gone', withoutTop],
  [
    'other numbers',
    (rows) => ({ rows: rows.map((row) => (OPTION.test(row.text) ? row : swapped(row, /\d/gu, next))) }),
  ],
  ['longer times', (rows) => ({ rows: rows.map((row) => swapped(row, SECONDS, (time) => `2m 1${time}`)) })],
  [
    'other words of the spinner',
    (rows) => ({ rows: rows.map((row) => swapped(row, SPINNER_WORD, () => ' Flibbering…')) }),
  ],
  ['other frames of spinners', otherFrames],
  ['another model and directory', elsewhere],
  ['another theme', recolouredRows(nextColour)],
  ['direct colours', recolouredRows(direct)],
])('given every recorded capture with %s, when it is judged, then it keeps its label', (what, change) => {
  const given = CAPTURES.filter(({ name }) => !(RECOLOURED.has(what) && TOLD_BY_RED.test(name)));

  const when = given.map((capture) => ({ name: capture.name, ...judged(capture, change) }));

  expect(when.filter(({ right }) => !right)).toEqual([]);
});

/** The edge of a sidebar goes on through a taller pane. */
function taller(rows: readonly Row[], { name }: Capture): Variant {
  const hasSidebar = name.startsWith('copilot/sidebar');
  const edge: Row = { text: ' │', runs: [{ at: 0, text: ' │', style: PLAIN }] };
  const more = hasSidebar ? BLANKS.map(() => edge) : BLANKS;
  return { rows: [...more, ...rows, ...(hasSidebar ? [] : more)], moved: more.length };
}

/** Changes after which a colour is another one. */
const RECOLOURED = new Set(['another theme', 'direct colours']);
/** Errors that only their red tells from the same words in an answer. */
const TOLD_BY_RED = /^pi\/error-(?:403|credit)/u;
/** Captures with facts that only a colour tells: the choice, and an error's bar. */
const TOLD_BY_COLOUR = /^opencode\/(?:permission|error-401)/u;
/** The box shows typed text, or the pane is too small for a hint: then only the prompt's colour tells of work. */
const BUSY_BY_COLOUR = /^claude.*\/(?:streaming-with-typed|streaming-resized-30x10)/u;

test('given every recorded capture as under NO_COLOR, when it is judged, then words and places tell its label', () => {
  const given = CAPTURES.filter(
    ({ name }) => ![TOLD_BY_RED, TOLD_BY_COLOUR, BUSY_BY_COLOUR].some((told) => told.test(name)),
  );

  const when = given.map((capture) => ({
    name: capture.name,
    ...judged(
      capture,
      recolouredRows(() => 'default'),
    ),
  }));

  expect(when.filter(({ right }) => !right)).toEqual([]);
});

test.each([
  'claude/permission-bash-long-220',
  'claude/processing-waiting-1-220',
  'codex/answered-ready-220',
  'codex/trust-dialog-220',
  'gemini/answered-ready-80',
  'opencode/error-429-retry-2-80',
])('given %s without any colour or attribute, when it is judged, then it keeps its label', (name) => {
  const { file, ansi } = captureOf(name);

  const when = judge(
    file,
    parseAnsi(ansi)
      .map(({ text }) => text)
      .join('\n'),
  );

  expect(when.got).toBe(file.label);
});

/** Cut as low as this, a screen still shows what it is. */
const NARROWER = 78;
/** Drawn in the middle of the screen; a question that would be wrapped and not cut. */
const WIDER = /^opencode\/(?:typed|answered-ready)|^claude-classic\/plan-approval/u;

test('given every recorded capture in a pane that is narrower, when it is judged, then it keeps its label', () => {
  const given = CAPTURES.filter(({ name }) => !WIDER.test(name));

  const when = given.map((capture) => ({
    name: capture.name,
    ...judged(capture, (rows) => ({ rows: rows.map((row) => cutTo(row, NARROWER)) })),
  }));

  expect(when.filter(({ right }) => !right)).toEqual([]);
});

function judged(capture: Capture, change: Change): ReturnType<typeof judge> {
  const { file } = capture;
  const { rows, moved = 0, title = file.pane_title } = change(PARSED.get(capture) ?? [], capture);
  const cursor = inputOf(capture).facts.cursorRow;
  const facts = { pane_title: title, ...(cursor === null ? {} : { cursor_y: Math.max(0, cursor + moved) }) };
  return judge({ ...file, ...facts }, paint(rows));
}

/** Option rows count from one: their numbers are no accident. */
const OPTION = /^[\s│┃❯›●↓↑▲▼]*\d{1,2}\.\s/u;
const SECONDS = /(?<![\w.#/-])\d+s(?=[ )·,]|$)/gu;
const SPINNER_WORD = /(?<=^[·✢✳✶✻✽*]) \p{Lu}\p{Ll}+…/gu;
const MODEL = /Opus 5\.5|gpt-5\.1-codex|gemini-2\.5-flash|Mock One/gu;

function next(digit: string): string {
  return String(((Number(digit) + 4) % 9) + 1);
}

function otherFrames(rows: readonly Row[], { file }: Capture): Variant {
  const turned = rows
    .map((row) => swapped(row, /^[✢✳✶✻✽](?= \S+…)/gu, () => '·'))
    .map((row) => swapped(row, /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/gu, () => '⠿'))
    .map((row) => (/[⬝■]{4}/u.test(row.text) ? swapped(row, /[⬝■]/gu, (cell) => (cell === '■' ? '⬝' : '■')) : row));
  return { rows: turned, title: (file.pane_title ?? '').replace(/^[⠀-⣿]/u, '⣾') };
}

function elsewhere(rows: readonly Row[], { file }: Capture): Variant {
  const moved = rows
    .map((row) => swapped(row, MODEL, () => 'Sonnet 6'))
    .map((row) => swapped(row, /\/home\/dev\/fixture\/repo\/[\w-]+/gu, () => '~/w'));
  return { rows: moved, title: (file.pane_title ?? '').replace(/(?:codex|gemini2?|opencode)-\d+/u, 'wörk tree.x') };
}

/** Takes away half of what stands above the last turn. */
function withoutTop(rows: readonly Row[], capture: Capture): Variant {
  const profile = profileOf(capture);
  const { title, cursorRow } = inputOf(capture).facts;
  const view = viewOf(profile, rows, { title, box: findBox(profile, rows, cursorRow) });
  // A dialog stands where no composer is found: its top is not known here.
  const gone = view.box === null ? 0 : Math.floor(Math.max(Math.min(view.turn, view.lastBlock), 0) / 2);
  return { rows: rows.slice(gone), moved: -gone };
}

function swapped(row: Row, pattern: RegExp, by: (found: string) => string): Row {
  let at = 0;
  const runs = row.runs.map((run) => {
    const text = run.text.replace(pattern, by);
    const moved = { ...run, at, text };
    at += text.length;
    return moved;
  });
  return {
    text: runs
      .map(({ text }) => text)
      .join('')
      .replace(/(?<! ) +$/u, ''),
    runs,
  };
}

function cutTo(row: Row, width: number): Row {
  const runs = row.runs.map((run) => ({ ...run, text: run.text.slice(0, Math.max(width - run.at, 0)) }));
  return { text: row.text.slice(0, width).replace(/(?<! ) +$/u, ''), runs: runs.filter((run) => run.text !== '') };
}

function restyled(row: Row, style: (before: Style) => Style): Row {
  return { ...row, runs: row.runs.map((run) => ({ ...run, style: style(run.style) })) };
}

function recolouredRows(change: (colour: Colour) => Colour): Change {
  const recoloured = (style: Style): Style => ({ ...style, fg: change(style.fg), bg: change(style.bg) });
  return (rows) => ({ rows: rows.map((row) => restyled(row, recoloured)) });
}

function nextColour(colour: Colour): Colour {
  return typeof colour === 'number' ? (colour + 1) % 256 : colour;
}

function direct(colour: Colour): Colour {
  return typeof colour === 'number' ? `#${(colour * 0x01_01_01).toString(16).padStart(6, '0')}` : colour;
}
