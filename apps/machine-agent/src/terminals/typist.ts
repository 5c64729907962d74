/**
 * Types a person's input into a pane. Only one types there at a time: while Drover delivers a text, a person's keys wait until it is in the
 * pane and taken, so that neither tears the other (docs/adr/0010).
 */
import { type LocalClock, messageOf } from '@drover/base';
import type { Hands, PaneAddress, SendOutcome, TmuxServer } from '@drover/tmux';

/** Bytes that may wait: minutes of typing, or a few pastes. */
const WAITING_BYTES_MAX = 64 * 1024;
/** Milliseconds of waiting after which the person is notified. */
const TOLD_AFTER_MS = 400;

/** Input of a person. */
type Typed = { readonly kind: 'keys'; readonly bytes: Uint8Array } | { readonly kind: 'paste'; readonly text: string };

interface TypistParts {
  readonly server: Pick<TmuxServer, 'withPane'>;
  readonly pane: PaneAddress;
  readonly clock: LocalClock;
  /** Called when keys wait, or do not wait any more. */
  readonly onHeld: (held: boolean) => void;
  /** Called when keys are in the pane. */
  readonly onSent: () => void;
  /** Called when the pane takes no keys any more, for ever. */
  readonly onFailed: (code: 'pane-gone' | 'pane-dead' | 'too-much' | 'not-typed', message: string) => void;
}

/** Types input in its order. After a failure nothing more is typed. */
export class Typist {
  readonly #parts: TypistParts;
  #waiting: Typed[] = [];
  #bytes = 0;
  #isTyping = false;
  #isOver = false;

  constructor(parts: TypistParts) {
    this.#parts = parts;
  }

  /** Types the input as soon as the pane is free. */
  type(typed: Typed): void {
    if (this.#isOver) return;
    this.#waiting.push(typed);
    this.#bytes += typed.kind === 'keys' ? typed.bytes.length : Buffer.byteLength(typed.text);
    if (this.#bytes > WAITING_BYTES_MAX) {
      this.#fail('too-much', 'too much input was waiting for the pane');
      return;
    }
    if (!this.#isTyping) void this.#typeAll();
  }

  /** Drops waiting input. */
  close(): void {
    this.#isOver = true;
    this.#waiting = [];
  }

  async #typeAll(): Promise<void> {
    const { server, pane, clock, onHeld, onSent } = this.#parts;
    this.#isTyping = true;
    let isHeld = false;
    const cancel = clock.after(TOLD_AFTER_MS, () => {
      isHeld = true;
      onHeld(true);
    });
    try {
      await server.withPane(pane, async (hands) => {
        cancel();
        if (isHeld) onHeld(false);
        while (this.#waiting.length > 0 && !this.#isOver) {
          const outcome = await this.#typeNext(hands);
          if (outcome.kind === 'sent') onSent();
          else
            this.#fail(
              outcome.kind,
              outcome.kind === 'pane-gone' ? 'its session has ended or was started again' : 'its program has ended',
            );
        }
      });
    } catch (error) {
      this.#fail('not-typed', `Drover could not type it: ${messageOf(error)}`);
    }
    cancel();
    this.#isTyping = false;
  }

  /** Types all waiting keys in one step, or the next paste. */
  #typeNext(hands: Pick<Hands, 'passKeys' | 'paste'>): Promise<SendOutcome> {
    const isPaste = this.#waiting[0]?.kind === 'paste';
    const end = isPaste ? 1 : this.#waiting.findIndex(({ kind }) => kind === 'paste');
    const taken = this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
    const [first] = taken;
    if (first?.kind === 'paste') {
      this.#bytes -= Buffer.byteLength(first.text);
      return hands.paste(first.text);
    }
    const bytes = Buffer.concat(taken.flatMap((typed) => (typed.kind === 'keys' ? [typed.bytes] : [])));
    this.#bytes -= bytes.length;
    return hands.passKeys(bytes);
  }

  #fail(code: Parameters<TypistParts['onFailed']>[0], message: string): void {
    if (this.#isOver) return;
    this.close();
    this.#parts.onFailed(code, message);
  }
}
