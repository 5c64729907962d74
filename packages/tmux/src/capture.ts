/** What stands on a pane's screen, safely read on every tmux version? */
import { unescapeBuffer } from './buffer-escapes.ts';
import type { Chain } from './command.ts';
import { TmuxError } from './errors.ts';
import { formatIncarnation, type PaneAddress } from './incarnation.ts';
import type { FactsFormat, PaneFacts } from './pane-facts.ts';
import { type CommandRunner, firstError, type Replies } from './runner.ts';
import type { Abilities } from './versions.ts';

/** How much of a screen is wanted. */
export interface CaptureOptions {
  /** Also the colours and attributes: seven times as dear (510 µs against 73). */
  readonly colours?: boolean;
  /** Rows above the screen to include, from tmux's history. Default 0. */
  readonly history?: number;
  readonly timeoutMs?: number;
}

/** A screen with the facts of the same instant. */
export interface Capture {
  readonly facts: PaneFacts;
  /** Rows of text without attributes, joined by line feeds. */
  readonly text: string;
  /** The same rows with SGR sequences; absent unless colours were asked for. */
  readonly ansi: string | undefined;
}

/** `pane-gone`: this life of the pane has been replaced or is no more. */
export type CaptureOutcome = { readonly kind: 'captured'; readonly capture: Capture } | { readonly kind: 'pane-gone' };

/** What every capture needs from its server. */
export interface CaptureTools {
  readonly runner: CommandRunner;
  readonly abilities: Abilities;
  readonly facts: FactsFormat;
  /** The beginning of a buffer name of this driver alone. */
  readonly bufferPrefix: string;
}

/**
 * Tries before giving up when a screen and its facts do not fit together, for example because a
 * program painted what looks like the end of a reply.
 */
const TRIES = 3;
const TIMEOUT_MS = 5_000;

/** @throws TmuxError as {@link CommandRunner}, and `torn-capture` after three tries. */
export async function capturePane(
  tools: CaptureTools,
  pane: PaneAddress,
  options: CaptureOptions = {},
): Promise<CaptureOutcome> {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const replies = await tools.runner.exec([captureChain(tools, pane, options)], {
      timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    });
    const outcome = readCapture(tools, replies, { pane, options });
    if (outcome !== 'torn') return outcome;
  }
  const message = `Could not read ${pane.paneId}: replies of tmux did not fit its screen ${TRIES} times`;
  throw new TmuxError('torn-capture', message);
}

function captureChain(
  { abilities, facts, bufferPrefix }: CaptureTools,
  { paneId }: PaneAddress,
  { colours = false, history = 0 }: CaptureOptions,
): Chain {
  const what = ['-t', paneId, '-S', `-${history}`, ...(colours ? ['-e'] : [])];
  const ask = ['display-message', '-p', '-t', paneId, facts.format] as const;
  if (abilities.capturePrints) return [ask, ['capture-pane', '-p', ...what]];
  const buffer = `${bufferPrefix}${paneId}`;
  return [ask, ['capture-pane', '-b', buffer, ...what], ['show-buffer', '-b', buffer], ['delete-buffer', '-b', buffer]];
}

function readCapture(
  { abilities, facts }: CaptureTools,
  answer: Replies,
  { pane, options }: { pane: PaneAddress; options: CaptureOptions },
): CaptureOutcome | 'torn' {
  const error = firstError(answer);
  const found = answer.replies[0] && facts.read(answer.replies[0].body)[0];
  if (found === undefined || formatIncarnation(found.incarnation) !== formatIncarnation(pane)) {
    return error === undefined || /can't find/.test(error) ? { kind: 'pane-gone' } : refuse(error);
  }
  if (error !== undefined) return /can't find/.test(error) ? { kind: 'pane-gone' } : refuse(error);

  const screen = answer.replies[abilities.capturePrints ? 1 : 2];
  if (screen === undefined || answer.replies.length !== (abilities.capturePrints ? 2 : 4)) {
    return 'torn';
  }
  const escaped = abilities.bufferIsEscaped && answer.via === 'control';
  const content = Buffer.from(escaped ? unescapeBuffer(screen.body) : screen.body).toString();
  const rows = content.split('\n');
  const expected = found.height + Math.min(options.history ?? 0, found.historySize);
  if (rows.length === expected + 1 && rows.at(-1) === '') rows.pop(); // a buffer ends with a line feed
  if (rows.length !== expected) return 'torn';
  const joined = rows.join('\n');
  return {
    kind: 'captured',
    capture:
      options.colours === true
        ? { facts: found, text: withoutAttributes(joined), ansi: joined }
        : { facts: found, text: joined, ansi: undefined },
  };
}

/** Removes what `capture-pane -e` adds: SGR, hyperlinks (OSC 8), and shifts of the character set. */
export function withoutAttributes(ansi: string): string {
  // oxlint-disable-next-line no-control-regex
  return ansi.replaceAll(/\u001b\[[0-9;:]*m|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[\u000e\u000f]/g, '');
}

function refuse(error: string): never {
  throw new TmuxError('refused', `tmux refused to capture a pane: ${error}`);
}
