/** Verifies a chain of the audit, row by row, in order, and names the first wrong row and its fault. */
import { auditHash } from '@drover/store';
import type { AuditHead, AuditRow } from '@drover/store';

/** First wrong row. */
export interface Wrong {
  readonly chain: string;
  readonly seq: number;
  readonly how: 'changed' | 'removed' | 'inserted' | 'reordered';
  readonly says: string;
}

/** A row that does not fit, until the next row tells why. */
interface Doubt {
  readonly row: AuditRow;
  readonly before: string;
}

/** Checks all rows, chain by chain, each from its first row on. */
export class ChainCheck {
  /** Number of rows taken. */
  rows = 0;
  readonly #heads = new Map<string, Map<number, string>>();
  #chain: string | null = null;
  #seq = 0;
  #hash = '';
  #doubt: Doubt | null = null;
  #seen = new Map<string, number>();

  /** @param heads Rows that must exist: the last ones now, and those that were kept elsewhere. */
  constructor(heads: readonly AuditHead[]) {
    for (const { chain, seq, hash } of heads) {
      const own = this.#heads.get(chain) ?? new Map<number, string>();
      // If two heads name one row, only one can be right: neither is then found.
      own.set(seq, own.has(seq) && own.get(seq) !== hash ? 'two different hashes' : hash);
      this.#heads.set(chain, own);
    }
  }

  /** @returns the fault at this row or before it; null: nothing so far. */
  take(row: AuditRow): Wrong | null {
    const ended = row.chain === this.#chain ? null : this.#endChain();
    if (ended !== null) return ended;
    if (row.chain !== this.#chain) this.#begin(row.chain);
    this.rows += 1;
    const doubt = this.#doubt;
    if (doubt !== null) return settled(doubt, row);
    const seq = this.#seq + 1;
    if (row.seq !== seq) return wrong(row.chain, seq, 'removed');
    if (auditHash(this.#hash, row) !== row.hash || !agrees(row)) {
      this.#doubt = { row, before: this.#hash };
      return null;
    }
    const expected = this.#heads.get(row.chain)?.get(seq);
    if (expected !== undefined && expected !== row.hash) return wrong(row.chain, seq, 'changed');
    this.#seq = seq;
    this.#hash = row.hash;
    this.#seen.set(row.chain, seq);
    return null;
  }

  /** @param heads Heads after the last row was read. */
  end(heads: readonly AuditHead[]): Wrong | null {
    const ended = this.#endChain();
    if (ended !== null) return ended;
    const now = new Map(heads.map(({ chain, seq }) => [chain, seq]));
    for (const [chain, seq] of this.#seen) {
      const last = now.get(chain) ?? 0;
      // Drover never added a row behind the head.
      if (last < seq) return wrong(chain, last + 1, 'inserted');
    }
    for (const [chain, own] of this.#heads) {
      const last = Math.max(...own.keys());
      if ((this.#seen.get(chain) ?? 0) < last) return wrong(chain, (this.#seen.get(chain) ?? 0) + 1, 'removed');
    }
    return null;
  }

  #begin(chain: string): void {
    this.#chain = chain;
    this.#seq = 0;
    this.#hash = '';
  }

  #endChain(): Wrong | null {
    const doubt = this.#doubt;
    return doubt === null ? null : wrong(doubt.row.chain, doubt.row.seq, 'changed');
  }
}

/** Settles a doubt. The row behind the one that does not fit belongs into its place: the first was inserted, or they changed places. */
function settled({ row, before }: Doubt, next: AuditRow): Wrong {
  const { chain, seq } = row;
  const isNextOfBefore = next.chain === chain && auditHash(before, { ...next, seq }) === next.hash;
  if (!isNextOfBefore) return wrong(chain, seq, 'changed');
  const cameAfter = auditHash(next.hash, { ...row, seq: seq + 1 }) === row.hash;
  return wrong(chain, seq, cameAfter ? 'reordered' : 'inserted');
}

/** Tells whether the columns beside the body, which are for queries, agree with the body. */
function agrees({ at, actor, body }: AuditRow): boolean {
  try {
    const own = JSON.parse(body) as { at?: unknown; actor?: unknown };
    return own.at === at && own.actor === actor;
  } catch {
    return false;
  }
}

const SAYS: Readonly<Record<Wrong['how'], string>> = {
  changed: 'was changed',
  removed: 'is missing',
  inserted: 'was not written by Drover',
  reordered: 'was swapped with the next row',
};

function wrong(chain: string, seq: number, how: Wrong['how']): Wrong {
  return { chain, seq, how, says: `Row ${seq} of the chain "${chain}" ${SAYS[how]}` };
}
