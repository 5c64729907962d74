/**
 * Asks tmux for the facts of panes, and reads its answers.
 *
 * Texts that a program in the pane can choose must not pass for another field or another pane. Texts that tmux keeps (such as the title) are
 * sent with their length in bytes. The name of the program in the foreground has no length that fits: tmux asks the system for the name each
 * time the format names it, and a starting program changes its name between the two. So the name comes last, and tmux replaces each character
 * that is not printable ASCII, the line feed among them.
 */
import type { Reply } from '../commands/runner.ts';
import { derivedWord } from '../derived-word.ts';
import { type Incarnation, PANE_PID } from './incarnation.ts';
import { signalName } from './signal-names.ts';

/** Facts of one pane at one moment. */
export interface PaneState {
  readonly incarnation: Incarnation;
  readonly sessionName: string;
  /** User options of the session, by name with `@`; unset options are absent. */
  readonly options: Readonly<Record<string, string>>;
  readonly dead: boolean;
  /** Exit status; absent while the program lives, after a death by signal, and when tmux does not know it. */
  readonly deadStatus: number | undefined;
  /** Signal such as `SIGKILL`; never known to tmux 3.2. */
  readonly deadSignal: string | undefined;
  /** Epoch seconds of the death; never known to tmux 3.2. */
  readonly diedAt: number | undefined;
  readonly title: string;
  /** Name of the program in the foreground, in printable ASCII; `env` for a moment at its start; empty when dead. */
  readonly currentCommand: string;
  /** Columns. */
  readonly width: number;
  /** Rows. */
  readonly height: number;
  readonly cursor: { readonly x: number; readonly y: number; readonly visible: boolean };
  /** True while the program uses the alternate screen. */
  readonly alternate: boolean;
  /** True while a person looks through the history: keys do not reach the program. */
  readonly inMode: boolean;
  /** Rows above the screen that tmux keeps. */
  readonly historySize: number;
  /** Epoch second of the last output. */
  readonly windowActivity: number;
}

/** User options that identify a worker, unless the driver is given others. */
export const DEFAULT_USER_OPTIONS: readonly string[] = [
  '@drover_worker',
  '@drover_project',
  '@drover_profile',
  '@drover_machine',
];

/** Fields in the order in which {@link FactsFormat} reads them: first the pane's id, and the field that changes every second. */
const NUMBERS = [
  'pane_id',
  'window_activity',
  'pid',
  'start_time',
  'session_created',
  'pane_pid',
  'pane_dead',
  'pane_dead_status',
  'pane_dead_signal',
  'pane_dead_time',
  'pane_width',
  'pane_height',
  'cursor_x',
  'cursor_y',
  'cursor_flag',
  'alternate_on',
  'pane_in_mode',
  'history_size',
] as const;
const TEXTS = ['session_name', 'pane_title'] as const;
const CURRENT_COMMAND = '#{s/[^ -~]/?/:pane_current_command}';
const TAG = 'pane|';
const LINE_FEED = 0x0a;
/** Fields of a line before its texts; the user options' lengths come on top. */
const FIELDS = NUMBERS.length + TEXTS.length;
const ASCII = /^[ -~]*$/;
/** Panes whose last line is remembered: far more than a server has at once, for ids never come again. */
const KNOWN_MAX = 1_000;

/** Parsed line: the text after the time of the last output, and its facts. */
interface KnownLine {
  readonly rest: string;
  readonly facts: PaneState;
}

/** Asks for panes and reads the answers, both with the same list of user options. */
export class FactsFormat {
  readonly userOptions: readonly string[];
  /** For `-F` of `list-panes` and the like. */
  readonly format: string;
  /** The option of a server that holds {@link format}, and a format that stands for it: 40 bytes instead of 900. */
  readonly option: string;
  readonly shortFormat: string;
  /** Previous lines of panes. Most lines differ only in the time of the last output: a comparison takes 0.4 µs, parsing 1.8 µs (measured). */
  readonly #known = new Map<string, KnownLine>();

  constructor(userOptions: readonly string[]) {
    this.userOptions = userOptions;
    const texts = [...TEXTS, ...userOptions];
    const numbers = NUMBERS.map((name) => (name === 'pane_pid' ? PANE_PID : `#{${name}}`));
    const lengths = texts.map((name) => `#{n:${name}}`);
    const contents = texts.map((name) => `#{${name}}`).join('');
    this.format = `${TAG}${[...numbers, ...lengths].join('|')}|${contents}${CURRENT_COMMAND}`;
    this.option = `@drover_facts_${derivedWord(this.format, 'option')}`;
    this.shortFormat = `#{E:${this.option}}`;
  }

  /** Reads every pane in a reply; lines that are not panes are passed over. */
  read(body: Uint8Array): readonly PaneState[] {
    return this.#readLines(body).panes;
  }

  /** Reads a reply in which each line is a pane; undefined when a line is not: a pane would be missing. */
  readList(body: Uint8Array): readonly PaneState[] | undefined {
    const { panes, strange } = this.#readLines(body);
    return strange === 0 ? panes : undefined;
  }

  #readLines(body: Uint8Array): { panes: readonly PaneState[]; strange: number } {
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    const panes: PaneState[] = [];
    let strange = 0;
    let at = 0;
    while (at < bytes.length) {
      const found = this.#readOne(bytes, at);
      if (found?.facts === undefined) strange += 1;
      else panes.push(found.facts);
      at = (found?.end ?? endOfLine(bytes, at)) + 1;
    }
    // A reply comes without the end of its last line: a line feed at its end means an empty line.
    const isLastEmpty = bytes.length > 0 && at === bytes.length;
    return { panes, strange: isLastEmpty ? strange + 1 : strange };
  }

  /** Tells whether a reply says that there is no such pane; a reply that does not answer the question says neither yes nor no. */
  saysNoPane({ ok, body }: Reply): boolean {
    const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
    return ok ? text.startsWith(`${TAG}|`) : /can't find/u.test(text);
  }

  #readOne(bytes: Buffer, at: number): { facts: PaneState | undefined; end: number } | undefined {
    const end = endOfLine(bytes, at);
    // Latin-1 has one character for each byte, so lengths in bytes are lengths of the string.
    const line = bytes.toString('latin1', at, end);
    if (!line.startsWith(TAG)) return undefined;
    const idAt = TAG.length;
    const activityAt = line.indexOf('|', idAt) + 1;
    const restAt = line.indexOf('|', activityAt);
    const paneId = line.slice(idAt, activityAt - 1);
    const rest = line.slice(restAt);
    const known = this.#known.get(paneId);
    if (known !== undefined && known.rest === rest) {
      return { facts: { ...known.facts, windowActivity: Number(line.slice(activityAt, restAt)) }, end };
    }
    const read = this.#readNew(line, bytes, at);
    // `rest` lacks the text behind a line feed.
    if (read?.facts !== undefined && read.end === end) this.#remember(paneId, { rest, facts: read.facts });
    return read;
  }

  #remember(paneId: string, line: KnownLine): void {
    if (this.#known.size >= KNOWN_MAX) this.#known.clear();
    this.#known.set(paneId, line);
  }

  #readNew(line: string, bytes: Buffer, at: number): { facts: PaneState | undefined; end: number } | undefined {
    const last = FIELDS + this.userOptions.length;
    const fields = line.slice(TAG.length).split('|', last);
    if (fields.length < last) return undefined;
    let position = fields.reduce((size, field) => size + field.length + 1, TAG.length);
    const texts = fields.slice(NUMBERS.length).map((length) => {
      const start = position;
      position += Number(length);
      const text = line.slice(start, position);
      const isWhole = start + text.length === position && ASCII.test(text);
      return isWhole ? text : bytes.toString('utf8', at + start, at + position);
    });
    const end = endOfLine(bytes, at + position);
    return { facts: this.#facts(fields, [...texts, bytes.toString('latin1', at + position, end)]), end };
  }

  /** @returns undefined when a missing pane was asked for. */
  #facts(fields: readonly string[], texts: readonly string[]): PaneState | undefined {
    const [paneId = '', activity, pid, start, created, panePid, isDead, status, signal = '', diedAt, ...shape] = fields;
    const [width, height, x, y, cursor, alternate, mode, history] = shape;
    if (paneId === '') return undefined;
    const [sessionName = '', title = '', ...values] = texts.slice(0, -1);
    const options: Record<string, string> = {};
    for (const [index, value] of values.entries()) {
      const name = this.userOptions[index];
      if (name !== undefined && value !== '') options[name] = value;
    }
    const dead = isDead === '1';
    return {
      incarnation: {
        serverPid: Number(pid),
        serverStart: Number(start),
        sessionCreated: Number(created),
        paneId,
        panePid: Number(panePid),
      },
      sessionName,
      options,
      dead,
      deadStatus: optional(status),
      deadSignal: signal === '' ? undefined : signalName(signal),
      diedAt: optional(diedAt),
      title,
      currentCommand: dead ? '' : (texts.at(-1) ?? ''),
      width: Number(width),
      height: Number(height),
      cursor: { x: Number(x), y: Number(y), visible: cursor === '1' },
      alternate: alternate === '1',
      inMode: Number(mode) > 0,
      historySize: Number(history),
      windowActivity: Number(activity),
    };
  }
}

function endOfLine(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(LINE_FEED, from);
  return end < 0 ? bytes.length : end;
}

function optional(field = ''): number | undefined {
  return field === '' ? undefined : Number(field);
}
