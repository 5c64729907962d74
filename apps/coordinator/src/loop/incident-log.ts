/** The tables' word on an incident so far. Only the decision that opened it has written about a new one: the database is not asked. */
import type { ErrorRow, EscalationRow, StoreTransaction } from '@drover/store';
import { HISTORY_LINES } from './escalations/bundle.ts';
import type { Changes, NewEpisode } from './changes.ts';

/** Facts of an incident that a question about it shows. */
export interface Told {
  /** Episodes, newest first. */
  readonly history: readonly NewEpisode[];
  /** The id of the newest error; null: there is none. */
  readonly errorId: string | null;
  /** The decision opened it. */
  readonly isNew: boolean;
  /** The decision asked about it before. */
  readonly isAskedTwice: boolean;
}

/** Errors and episodes that one decision writes, and what is known of their incidents. */
export class IncidentLog {
  readonly errors: ErrorRow[] = [];
  readonly #tx: StoreTransaction;
  readonly #changes: Changes;
  readonly #opened: string;
  readonly #episodes: NewEpisode[] = [];

  /** @param opened The id of an incident that the decision opened. No other incident has it. */
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

  /** The id of the newest error; null when there is none. */
  async lastErrorOf(incident: string): Promise<string | null> {
    const own = this.errors.findLast(({ incidentId }) => incidentId === incident);
    if (own !== undefined) return own.id;
    return incident === this.#opened ? null : this.#tx.lastErrorOf(incident);
  }

  /** Everything up to now, for a question whose episode is added. */
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

/** The open question about an incident; null when there is none. */
export async function questionOf(
  tx: StoreTransaction,
  incident: string,
  { isNew, isAskedTwice }: Told,
): Promise<Pick<EscalationRow, 'id'> | null> {
  if (isNew && !isAskedTwice) return null;
  const [open] = await tx.listEscalations({ incidentId: incident, open: true, limit: 1 });
  return open ?? null;
}
