/**
 * Reads the tables' record of an incident so far. Only the decision that opened a new incident has written about it: the database is not
 * asked.
 */
import type { ErrorRow, EscalationRow, StoreTransaction } from '@drover/store';
import { HISTORY_LINES } from './escalations/bundle.ts';
import type { Changes, NewEpisode } from './changes.ts';

/** Facts of an incident that a question about it shows. */
export interface Told {
  /** Episodes, newest first. */
  readonly history: readonly NewEpisode[];
  /** Id of the newest error; null: there is none. */
  readonly errorId: string | null;
  /** Tells whether the decision opened the incident. */
  readonly isNew: boolean;
  /** Tells whether the decision has already asked about the incident. */
  readonly isAskedTwice: boolean;
}

/** Collects the errors and episodes that one decision writes, and known facts of their incidents. */
export class IncidentLog {
  readonly errors: ErrorRow[] = [];
  readonly #tx: StoreTransaction;
  readonly #changes: Changes;
  readonly #opened: string;
  readonly #episodes: NewEpisode[] = [];

  /** @param opened Id of an incident that the decision opened. No other incident has it. */
  constructor(tx: StoreTransaction, changes: Changes, opened: string) {
    this.#tx = tx;
    this.#changes = changes;
    this.#opened = opened;
  }

  addError(row: ErrorRow): void {
    this.#changes.addError(row);
    this.errors.push(row);
  }

  addEpisode(row: NewEpisode): void {
    this.#changes.addEpisode(row);
    this.#episodes.push(row);
  }

  /** Returns the id of the newest error; null when there is none. */
  async lastErrorOf(incident: string): Promise<string | null> {
    const own = this.errors.findLast(({ incidentId }) => incidentId === incident);
    if (own !== undefined) return own.id;
    return incident === this.#opened ? null : this.#tx.lastErrorOf(incident);
  }

  /** Returns everything up to now, for a question whose episode is added. */
  async told(incident: string): Promise<Told> {
    const isNew = incident === this.#opened;
    const own = this.#episodes.filter(({ incidentId }) => incidentId === incident).toReversed();
    const before = isNew ? [] : await this.#tx.listEpisodes({ incidentId: incident, limit: HISTORY_LINES });
    return {
      history: [...own, ...before].slice(0, HISTORY_LINES),
      errorId: await this.lastErrorOf(incident),
      isNew,
      isAskedTwice: own.filter(({ kind }) => kind === 'escalated').length > 1,
    };
  }
}

/** Finds the open question about an incident; null when there is none. */
export async function questionOf(
  tx: StoreTransaction,
  incident: string,
  { isNew, isAskedTwice }: Told,
): Promise<Pick<EscalationRow, 'id'> | null> {
  if (isNew && !isAskedTwice) return null;
  const [open] = await tx.listEscalations({ incidentId: incident, open: true, limit: 1 });
  return open ?? null;
}
