/**
 * The only door to the terminal. Data goes to stdout, messages to stderr, colours only to a terminal. Text of agents,
 * repositories, machines and people leaves as text: only this file makes control sequences.
 */
/* oxlint-disable no-restricted-properties -- the door */
import { Writable } from 'node:stream';
import { escapeHidden } from '@drover/core/hidden-characters';
import type { Environment } from '@drover/config/surroundings';
import { chosenFields } from './lists/fields.ts';
import { cut, plain, renderText } from './style.ts';

/** A place for output. */
export interface Door {
  /** Prints data: a line, or several. */
  out(text: string): void;
  /** Prints messages about progress. */
  err(text: string): void;
}

/** The place and the manner of a command's output. */
export interface Terminal extends Door {
  /** True if data is wanted as JSON. */
  readonly json: boolean;
  /** True if a list is wanted as names alone. */
  readonly quiet: boolean;
  /** True if a list is wanted with all columns, uncut. */
  readonly wide: boolean;
  readonly colours: boolean;
  /** True if stdout is a terminal that can be redrawn. */
  readonly interactive: boolean;
  /** Width in columns: a table is cut there. */
  readonly columns: number;
  /** Height in rows. */
  readonly rows: number;
  /** Rings the terminal's bell. */
  bell(): void;
  /** Goes to the terminal's second screen, without a cursor. */
  enterScreen(): void;
  /** Overwrites the screen from its top, in one write: nothing blinks. */
  drawLines(lines: readonly string[]): void;
  /** Goes back to the unchanged first screen. */
  leaveScreen(): void;
  /** True if stderr is a terminal that shows progress. */
  readonly isLive: boolean;
  /** Shows a line on stderr in place of the previous one, until other output; an empty text clears it. */
  showProgress(text: string): void;
  /** Asks on stderr, and reads one line. */
  question(text: string): Promise<string>;
  /** Asks like `question`, but does not show the typed text. */
  secret(text: string): Promise<string>;
}

/** Width of output into a file or a pipe: nothing is cut there. */
const UNLIMITED = Number.POSITIVE_INFINITY;

const BELL = '\u0007';
const ENTER = '\u001b[?1049h\u001b[?25l';
const LEAVE = '\u001b[?25h\u001b[?1049l';
const HOME = '\u001b[H';
const CLEAR_LINE = '\u001b[K';
const CLEAR_BELOW = '\u001b[J';

/** Choices of `--color`. */
export const COLOR_CHOICES = ['auto', 'always', 'never'] as const;

export type ColorChoice = (typeof COLOR_CHOICES)[number];

/** Form in which a person wants the answer. */
export interface Wanted extends Pick<Terminal, 'json' | 'quiet' | 'wide'> {
  /** Fields wanted in the JSON; null: all. */
  readonly fields: readonly string[] | null;
  /** `--color`; the environment decides what `auto` means. */
  readonly color: ColorChoice;
}

/** Opens the process's own terminal. */
export function systemTerminal(environment: Environment, wanted: Wanted): Terminal {
  const out = process.stdout;
  const { json, quiet, wide, fields } = wanted;
  const isTerminal = out.isTTY && environment.variables['TERM'] !== 'dumb';
  const door = openDoor({ json });
  const isLive = !json && process.stderr.isTTY && environment.variables['TERM'] !== 'dumb';
  const line = openLiveLine({
    write: (text) => void process.stderr.write(text),
    columns: () => process.stderr.columns,
  });
  return {
    json,
    quiet,
    wide,
    colours: !json && areColorsWanted(environment, { isTerminal, choice: wanted.color }),
    interactive: isTerminal,
    get columns() {
      return out.isTTY ? out.columns : UNLIMITED;
    },
    get rows() {
      return out.isTTY ? out.rows : UNLIMITED;
    },
    isLive,
    showProgress: (text) => line.show(isLive ? text : ''),
    out: (text) => {
      line.clear();
      door.out(json && fields !== null ? JSON.stringify(chosenFields(JSON.parse(text), fields)) : text);
    },
    err: (text) => {
      line.clear();
      door.err(text);
    },
    bell: () => void out.write(BELL),
    enterScreen: () => void out.write(ENTER),
    drawLines: (lines) => void out.write(frame(lines)),
    leaveScreen: () => void out.write(LEAVE),
    question: (text) => {
      line.clear();
      return askLine(text, process.stderr);
    },
    secret: askSecret,
  };
}

/** A line that is drawn again in its place, and cleared before other output. */
export interface LiveLine {
  show(text: string): void;
  clear(): void;
}

/** Opens a live line. It leaves the last column free, because some terminals begin a new line there. */
export function openLiveLine({
  write,
  columns,
}: {
  readonly write: (text: string) => void;
  readonly columns: () => number;
}): LiveLine {
  let isShown = false;
  const clear = (): void => {
    if (isShown) write(`\r${CLEAR_LINE}`);
    isShown = false;
  };
  return {
    clear,
    show: (text) => {
      if (text === '') return clear();
      write(`\r${renderText(cut(plain(text), columns() - 1))}${CLEAR_LINE}`);
      isShown = true;
    },
  };
}

/** Decides about colors: the option first, then NO_COLOR and CLICOLOR=0, then what forces them, then the terminal. */
export function areColorsWanted(
  { noColor, variables }: Pick<Environment, 'noColor' | 'variables'>,
  { isTerminal, choice }: { readonly isTerminal: boolean; readonly choice: ColorChoice },
): boolean {
  if (choice !== 'auto') return choice === 'always';
  if (noColor || variables['CLICOLOR'] === '0') return false;
  const isForced = [variables['FORCE_COLOR'], variables['CLICOLOR_FORCE']].some((value) => (value ?? '0') !== '0');
  return isForced || isTerminal;
}

/** Opens the door alone, for messages before a command knows its surroundings. JSON is escaped, so that it parses to the same values. */
export function openDoor({ json }: { json: boolean }): Door {
  const shown = json ? escapeHidden : renderText;
  return {
    out: (text) => void process.stdout.write(`${shown(text)}\n`),
    err: (text) => void process.stderr.write(`${shown(text)}\n`),
  };
}

/** Calls when the reader of stdout is gone. A missing reader of stderr does not matter. */
export function onUnread(call: () => void): void {
  process.stdout.on('error', call);
  process.stderr.on('error', () => {});
}

/** Returns the output of {@link Terminal.drawLines}. */
export function frame(lines: readonly string[]): string {
  return HOME + lines.map((line) => renderText(line) + CLEAR_LINE).join('\r\n') + CLEAR_BELOW;
}

async function askSecret(text: string): Promise<string> {
  process.stderr.write(renderText(text));
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  try {
    return await askLine('', silent);
  } finally {
    process.stderr.write('\n');
  }
}

async function askLine(text: string, output: NodeJS.WritableStream): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY });
  try {
    return await lines.question(renderText(text));
  } finally {
    lines.close();
  }
}
