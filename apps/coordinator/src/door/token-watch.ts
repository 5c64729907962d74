/** Ends calls that wait when their token expires or is revoked. Reads all tokens together, every two seconds. */
import { isOver } from '../context/token-names.ts';
import type { Context } from '../context/context.ts';

/** Milliseconds between two checks: a revoked token ends within five seconds, a slow database included. */
const CHECK_EVERY_MS = 2_000;

/** A call that waits, and its token. */
interface Waiting {
  readonly id: string;
  readonly name: string;
  readonly over: (lastWord: string) => void;
}

/** Watches the tokens of open calls; reads the database only while at least one call is open. */
export class TokenWatch implements Disposable {
  readonly #ctx: Context;
  readonly #waiting = new Set<Waiting>();
  #cancel: (() => void) | null = null;

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  /** @returns a function that ends the watch. */
  watch(waiting: Waiting): () => void {
    this.#waiting.add(waiting);
    this.#arm();
    return () => void this.#waiting.delete(waiting);
  }

  #arm(): void {
    if (this.#cancel !== null || this.#waiting.size === 0) return;
    this.#cancel = this.#ctx.clock.after(CHECK_EVERY_MS, () => void this.#check());
  }

  async #check(): Promise<void> {
    const { store, log } = this.#ctx;
    try {
      const tokens = this.#waiting.size === 0 ? [] : await store.listApiTokens();
      const good = new Map(tokens.map((token) => [token.id, token]));
      for (const waiting of this.#waiting) {
        const token = good.get(waiting.id);
        if (token === undefined) this.#end(waiting, 'was revoked');
        else if (isOver(this.#ctx, token)) this.#end(waiting, 'has expired');
      }
    } catch (error) {
      log('debug', `Cannot check the tokens of open calls: ${String(error)}`);
    }
    this.#cancel = null;
    this.#arm();
  }

  #end(waiting: Waiting, what: string): void {
    this.#waiting.delete(waiting);
    waiting.over(`The token "${waiting.name}" ${what}: this call ends, and the next one needs another token`);
  }

  [Symbol.dispose](): void {
    this.#cancel?.();
    this.#waiting.clear();
  }
}
