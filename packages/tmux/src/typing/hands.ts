/**
 * Gets text and keys into a pane exactly once.
 *
 * Each call is one write of consecutive commands, and tmux decides in the same instant whether the pane still lives the same life: pasting
 * into a dead pane would kill servers up to 3.3a.
 */
import { type Clock, pause } from '@drover/base';
import { type Chain, type Command, runIf } from '../commands/command.ts';
import { invariant, TmuxError } from '../errors.ts';
import { isAlive, isSameIncarnation, type PaneAddress } from '../panes/incarnation.ts';
import { andObeyed, type Epoch, ifObeyed, throwIfFenced } from '../server/epoch.ts';
import { type CommandRunner, firstError, linesOf } from '../commands/runner.ts';
import { keyParts } from './key-parts.ts';
import type { PaneState } from '../panes/facts.ts';
import { pieces, sendable } from './sendable-text.ts';
import type { Abilities } from '../server/versions.ts';

/** `sent`: tmux wrote it to the program. The other two: nothing was sent. */
export type SendOutcome = { readonly kind: 'sent' } | { readonly kind: 'pane-dead' } | { readonly kind: 'pane-gone' };

/** `cursor-moved`: nothing was sent, because the cursor is no longer where it should be. */
export type PressOutcome = SendOutcome | { readonly kind: 'cursor-moved' };

/** Place of the cursor in a capture. */
export type Cursor = PaneState['cursor'];

interface TypeOptions {
  /** Characters for each write. */
  readonly chunk: number;
  /** Milliseconds between two writes. */
  readonly gapMs: number;
}

/** Parts of its server that sending uses. */
export interface HandsTools {
  readonly runner: CommandRunner;
  readonly abilities: Abilities;
  readonly clock: Clock;
  readonly epoch: Epoch;
  /** Makes a name for a buffer that was never used before. */
  readonly newBuffer: () => string;
}

/** Milliseconds for one write; after it the outcome is unknown (`timed-out`). */
const TIMEOUT_MS = 5_000;
const DID = 'drover-did';
const DEAD = 'drover-dead';
const GONE = 'drover-gone';
const MOVED = 'drover-moved';
/** Names of keys as tmux knows them, or one character, with modifiers. */
const KEY =
  /^(?:[CMS]-)*(?:Enter|Escape|Tab|BTab|Space|BSpace|Up|Down|Left|Right|Home|End|PageUp|PageDown|PgUp|PgDn|IC|DC|F[1-9]|F1[0-2]|[!-~])$/;

/** Sends to one pane. `withPane` hands it out, to one sender at a time. */
export class Hands {
  readonly #tools: HandsTools;
  readonly pane: PaneAddress;

  constructor(tools: HandsTools, pane: PaneAddress) {
    this.#tools = tools;
    this.pane = pane;
  }

  /**
   * Pastes a text as one piece, ending copy mode first. Control characters are dropped.
   *
   * @param bracketed Mark the paste as such if the program asked for it. Default true.
   */
  paste(text: string, options: { bracketed?: boolean } = {}): Promise<SendOutcome> {
    return this.#paste([text], options.bracketed ?? true, []);
  }

  /** Pastes several texts, each in its own brackets, with nothing between. */
  pasteEach(texts: readonly string[]): Promise<SendOutcome> {
    return this.#paste(texts, true, []);
  }

  /** Pastes and presses Enter with nothing between. For programs that take brackets. */
  pasteAndEnter(text: string, options: { bracketed?: boolean } = {}): Promise<SendOutcome> {
    return this.#paste([text], options.bracketed ?? true, [this.#keys(['Enter'])]);
  }

  /** Types a text as if by hand, in pieces with pauses. Stops at the first piece that is not sent. */
  async typeText(text: string, { chunk, gapMs }: TypeOptions): Promise<SendOutcome> {
    const parts = pieces(sendable(text), chunk);
    for (const [index, part] of parts.entries()) {
      if (index > 0) await pause(this.#tools.clock, gapMs);
      const { paneId } = this.pane;
      const sent = await this.#send([], [['send-keys', '-l', '-t', paneId, '--', part]]);
      if (sent.kind !== 'sent') return sent;
    }
    return parts.length > 0 ? { kind: 'sent' } : this.#send([], []);
  }

  /**
   * Presses keys, given as tmux names them: `Enter`, `Escape`, `C-c`, `Down`, `y`.
   *
   * @param at Press them only while the cursor is where a capture showed it, so that they do not reach a dialog that opened since. Default: press
   *   them in any case.
   * @throws TmuxError `refused` for a name that tmux would type as a word.
   */
  async pressKeys(keys: readonly string[], { at }: { readonly at?: Cursor | undefined } = {}): Promise<PressOutcome> {
    const unknown = keys.find((key) => !KEY.test(key));
    if (unknown !== undefined) {
      throw new TmuxError('refused', `"${unknown}" is not a key: expected a name such as "Enter"`);
    }
    const press: Chain = keys.length > 0 ? [this.#keys(keys)] : [];
    if (at === undefined) return this.#send([], press);
    const guarded = runIf(this.pane.paneId, isCursorAt(at), { run: press, otherwise: [say(MOVED)] });
    const lines = await this.#answer([], [guarded]);
    return lines.includes(MOVED) ? { kind: 'cursor-moved' } : outcomeOf(lines);
  }

  /**
   * Passes on the bytes of keys that a person pressed. Keys whose bytes depend on the mode of the program, such as the arrows, are pressed by
   * name: tmux knows the mode.
   */
  passKeys(bytes: Uint8Array): Promise<SendOutcome> {
    const { paneId } = this.pane;
    return this.#send(
      [],
      keyParts(bytes).map((part): Command =>
        part.kind === 'named'
          ? ['send-keys', '-t', paneId, '--', part.name]
          : ['send-keys', '-H', '-t', paneId, '--', ...part.bytes],
      ),
    );
  }

  #paste(texts: readonly string[], bracketed: boolean, after: Chain): Promise<SendOutcome> {
    const contents = texts.map(sendable).filter((content) => content !== '');
    const buffers = contents.map((content) => ({ buffer: this.#tools.newBuffer(), content }));
    const { pasteNeedsRaw } = this.#tools.abilities;
    const flags = ['-r', '-d', ...(bracketed ? ['-p'] : []), ...(pasteNeedsRaw ? ['-S'] : [])];
    return this.#send(
      buffers.map(({ buffer, content }) => ['set-buffer', '-b', buffer, '--', content]),
      [
        ...buffers.map(({ buffer }): Command => ['paste-buffer', ...flags, '-b', buffer, '-t', this.pane.paneId]),
        ...after,
      ],
      buffers.map(({ buffer }) => ['delete-buffer', '-b', buffer]),
    );
  }

  #keys(keys: readonly string[]): Command {
    return ['send-keys', '-t', this.pane.paneId, '--', ...keys];
  }

  async #send(before: Chain, then: Chain, otherwise: Chain = []): Promise<SendOutcome> {
    return outcomeOf(await this.#answer(before, then, otherwise));
  }

  /** Runs `before`, then `then` if the pane is alive, else `otherwise`. @returns what they and the outcome say. */
  async #answer(before: Chain, then: Chain, otherwise: Chain = []): Promise<readonly string[]> {
    const { paneId } = this.pane;
    const { epoch } = this.#tools;
    const leaveCopyMode: Command = ['copy-mode', '-q', '-t', paneId];
    const whyNot = runIf(paneId, isSameIncarnation(this.pane), { run: [say(DEAD)], otherwise: [say(GONE)] });
    const answer = await this.#tools.runner.exec(
      [
        [
          ...before,
          runIf(paneId, andObeyed(epoch, isAlive(this.pane)), {
            run: [leaveCopyMode, ...then, say(DID)],
            otherwise: [...otherwise, ...ifObeyed(epoch, [whyNot])],
          }),
        ],
      ],
      { timeoutMs: TIMEOUT_MS },
    );
    const lines = linesOf(answer);
    throwIfFenced(lines);
    if ([DID, DEAD, GONE].some((word) => lines.includes(word))) return lines;
    const error = firstError(answer);
    invariant(error !== undefined, `tmux neither sent to ${paneId} nor said why`);
    if (/can't find pane/.test(error)) return [GONE];
    throw new TmuxError('refused', `tmux refused to send to ${paneId}: ${error}`);
  }
}

function outcomeOf(lines: readonly string[]): SendOutcome {
  if (lines.includes(DID)) return { kind: 'sent' };
  return { kind: lines.includes(DEAD) ? 'pane-dead' : 'pane-gone' };
}

function say(word: string): Command {
  return ['display-message', '-p', word];
}

function isCursorAt({ x, y, visible }: Cursor): string {
  return `#{==:#{cursor_x}.#{cursor_y}.#{cursor_flag},${x}.${y}.${visible ? 1 : 0}}`;
}
