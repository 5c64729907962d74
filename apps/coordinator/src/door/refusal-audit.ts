/** Writes refused attempts into the audit: few rows a minute, with a count of the rest, so that no stranger fills the disk. */
import type { Actor } from '@drover/api';
import { audited } from '../facts/people/audit-rows.ts';
import { causeOf } from '../facts/people/causes.ts';
import type { Context } from '../context/context.ts';

const WINDOW_MS = 60_000;
/** Rows a minute, of all tokens together. */
const ROWS_MAX = 30;

/** Writes at most one row a minute for each token. */
export class RefusalAudit {
  readonly #ctx: Context;
  #began = 0;
  #told = new Set<string>();
  #untold = 0;

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  /** Notes a refusal. Never throws, and no caller waits for it. */
  note(actor: Actor, route: string): void {
    const { store, clock, log } = this.#ctx;
    const now = clock.now();
    if (now - this.#began >= WINDOW_MS) {
      this.#began = now;
      this.#told = new Set();
    }
    if (this.#told.has(actor.id) || this.#told.size >= ROWS_MAX) {
      this.#untold += 1;
      return;
    }
    this.#told.add(actor.id);
    const details = { role: actor.role, ...(this.#untold > 0 && { untold: this.#untold }) };
    this.#untold = 0;
    const row = audited({ at: now, by: causeOf(actor), action: 'refused', about: `route ${route}`, details });
    store
      .transaction((tx) => tx.audit(row))
      .catch((error: unknown) => log('warn', `Cannot record a refused attempt: ${String(error)}`));
  }
}
