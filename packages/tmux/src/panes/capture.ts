/** Captures a pane on any tmux version. */
import { unescapedText } from './buffer-escapes.ts';
import type { Chain, Command } from '../commands/command.ts';
import { TmuxError } from '../errors.ts';
import { areSameIncarnation, type PaneAddress } from './incarnation.ts';
import type { FactsFormat, PaneState } from './facts.ts';
import { type CommandRunner, firstError, type Replies } from '../commands/runner.ts';
import type { Abilities } from '../server/versions.ts';

export interface CaptureOptions {
  /** Adds colours and attributes: seven times as expensive (510 µs against 73). */
  readonly colours?: boolean;
  /** Rows above the screen to include, from tmux's history. Default 0. */
  readonly history?: number;
  readonly timeoutMs?: number;
}

/** Screen with the facts of the same instant. Decoded on the first read: most screens equal the previous one. */
export interface Capture {
  readonly facts: PaneState;
  /** Rows as tmux wrote them. Captures of one kind with equal bytes show the same. */
  readonly bytes: Uint8Array;
  /** Rows of text without attributes, joined by line feeds. */
  readonly text: string;
  /** The same rows with SGR sequences; absent unless colours were asked for. */
  readonly ansi: string | undefined;
}

/** `pane-gone`: this life of the pane has ended or another replaced it. */
export type CaptureOutcome = { readonly kind: 'captured'; readonly capture: Capture } | { readonly kind: 'pane-gone' };

/** Parts of the server that every capture uses. */
export interface CaptureTools {
  readonly runner: CommandRunner;
  readonly abilities: Abilities;
  readonly facts: FactsFormat;
  /** Name of a buffer of this driver alone. A single buffer is enough: a connection carries out its requests one after another. */
  readonly buffer: string;
}

/**
 * Tries before a failure when a screen and its facts do not fit together, for example because a program painted what looks like the end of a
 * reply.
 */
const TRIES = 3;
const TIMEOUT_MS = 5_000;
const LINE_FEED = 0x0a;

/** @throws TmuxError as {@link CommandRunner}, and `torn-capture` after three tries. */
export async function capturePane(
  tools: CaptureTools,
  pane: PaneAddress,
  options: CaptureOptions = {},
): Promise<CaptureOutcome> {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const { chainOf, after, read } = wayOf(tools, options);
    const chains = [chainOf(pane), ...after];
    const replies = await tools.runner.exec(chains, { timeoutMs: options.timeoutMs ?? TIMEOUT_MS });
    const outcome = read(pane, replies.slice(0, replies.length - after.length));
    if (outcome.kind === 'refused') {
      throw new TmuxError('refused', `tmux refused to capture ${pane.paneId}: ${outcome.error}`);
    }
    if (outcome.kind !== 'torn') return outcome;
  }
  const message = `Could not read ${pane.paneId}: replies of tmux did not fit its screen ${TRIES} times`;
  throw new TmuxError('torn-capture', message);
}

/**
 * Captures several panes in one request, which is cheaper than a request for each. A capture that is not plainly whole is repeated alone.
 *
 * @returns outcomes in the order of the panes. @throws TmuxError as {@link capturePane}.
 */
export async function capturePanes(
  tools: CaptureTools,
  panes: readonly PaneAddress[],
  options: CaptureOptions = {},
): Promise<readonly CaptureOutcome[]> {
  const { chainOf, after, read } = wayOf(tools, options);
  const chains = [...panes.map(chainOf), ...after];
  const replies = await tools.runner.exec(chains, { timeoutMs: options.timeoutMs ?? TIMEOUT_MS });
  // A missing or an extra block makes the blocks ambiguous.
  const each = chains[0]?.length ?? 0;
  const isPlain = replies.length === panes.length * each + after.length;
  return Promise.all(
    panes.map(async (pane, index) => {
      const own = isPlain ? read(pane, replies.slice(index * each, (index + 1) * each)) : undefined;
      return own?.kind === 'captured' ? own : capturePane(tools, pane, options);
    }),
  );
}

/** Result of the replies of one chain. `torn`: they do not fit each other. */
type Reading = CaptureOutcome | { readonly kind: 'torn' } | { readonly kind: 'refused'; readonly error: string };

/** Chooses the commands for one pane, the commands after all panes, and the reader of the replies for one. */
function wayOf(
  tools: CaptureTools,
  options: CaptureOptions,
): {
  chainOf: (pane: PaneAddress) => Chain;
  after: readonly Chain[];
  read: (pane: PaneAddress, replies: Replies) => Reading;
} {
  const { runner, abilities, facts } = tools;
  // Spawned clients print without a leak, and cannot print a buffer after another reply.
  const prints = abilities.capturePrints || runner.via === 'spawned';
  const way: ReadingWay = {
    decode: !prints && abilities.bufferIsEscaped ? unescapedText : asText,
    isColoured: options.colours === true,
  };
  const [at, length] = prints ? [1, 2] : [2, 3];
  return {
    chainOf: (pane) => (prints ? printChain(tools, pane, options) : bufferChain(tools, pane, options)),
    after: prints ? [] : [[['delete-buffer', '-b', tools.buffer]]],
    read: (pane, replies) => {
      const [asked] = replies;
      if (asked === undefined) return { kind: 'torn' };
      if (facts.saysNoPane(asked)) return { kind: 'pane-gone' };
      const [now] = facts.read(asked.body);
      if (now === undefined) return { kind: 'torn' };
      if (!areSameIncarnation(now.incarnation, pane)) return { kind: 'pane-gone' };
      const error = firstError(replies);
      if (error !== undefined) return { kind: 'refused', error };
      const screen = replies[at]?.body;
      if (screen === undefined || replies.length !== length) return { kind: 'torn' };
      const rows = rowsOf(screen, now, options);
      if (rows === undefined) return { kind: 'torn' };
      return { kind: 'captured', capture: new LazyCapture(now, rows, way) };
    },
  };
}

function printChain(tools: CaptureTools, pane: PaneAddress, options: CaptureOptions): Chain {
  return [askFor(tools, pane), ['capture-pane', '-p', ...whatOf(pane, options)]];
}

function bufferChain(tools: CaptureTools, pane: PaneAddress, options: CaptureOptions): Chain {
  const { buffer } = tools;
  return [askFor(tools, pane), ['capture-pane', '-b', buffer, ...whatOf(pane, options)], ['show-buffer', '-b', buffer]];
}

function askFor({ runner, facts }: CaptureTools, { paneId }: PaneAddress): Command {
  return ['display-message', '-p', '-t', paneId, runner.via === 'control' ? facts.shortFormat : facts.format];
}

function whatOf({ paneId }: PaneAddress, { colours, history = 0 }: CaptureOptions): readonly string[] {
  return ['-t', paneId, ...(history > 0 ? ['-S', `-${history}`] : []), ...(colours === true ? ['-e'] : [])];
}

/** Rows of a screen without the end of the last one, or `undefined` when their number is not the pane's. */
function rowsOf(
  screen: Uint8Array,
  { height, historySize }: PaneState,
  { history = 0 }: CaptureOptions,
): Buffer | undefined {
  const bytes = Buffer.from(screen.buffer, screen.byteOffset, screen.byteLength);
  const breaks = height + Math.min(history, historySize) - 1;
  const found = countBreaks(bytes);
  if (found === breaks + 1 && bytes.at(-1) === LINE_FEED) return bytes.subarray(0, -1); // a buffer ends with a line feed
  return found === breaks ? bytes : undefined;
}

function countBreaks(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) count += 1;
  return count;
}

/** Decoder of the rows of a capture. */
interface ReadingWay {
  readonly decode: (bytes: Buffer) => string;
  readonly isColoured: boolean;
}

/**
 * A class, not an object with its own getters: V8 keeps the shape of such an object, and with it everything that its getters hold, until the
 * next full collection. Every decoded screen then outlived its capture, for a quarter of the driver's time.
 */
class LazyCapture implements Capture {
  readonly facts: PaneState;
  readonly bytes: Buffer;
  readonly #way: ReadingWay;
  #rows: string | undefined;
  #text: string | undefined;

  constructor(facts: PaneState, bytes: Buffer, way: ReadingWay) {
    this.facts = facts;
    this.bytes = bytes;
    this.#way = way;
  }

  get ansi(): string | undefined {
    return this.#way.isColoured ? this.#read() : undefined;
  }

  get text(): string {
    return (this.#text ??= this.#way.isColoured ? withoutAttributes(this.#read()) : this.#read());
  }

  #read(): string {
    return (this.#rows ??= this.#way.decode(this.bytes));
  }
}

function asText(bytes: Buffer): string {
  return bytes.toString();
}

/** Removes what `capture-pane -e` adds: SGR, hyperlinks (OSC 8), and shifts of the character set. */
export function withoutAttributes(ansi: string): string {
  // oxlint-disable-next-line no-control-regex
  return ansi.replaceAll(/\u001b\[[0-9;:]*m|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[\u000e\u000f]/g, '');
}
