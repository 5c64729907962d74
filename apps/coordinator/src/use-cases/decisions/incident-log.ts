/** What do the tables say of an incident so far? Only the decision that opened it has written about a new one: the database is not asked. */
import type { ErrorRow, EscalationRow, StoreTransaction } from '@drover/store';
import type { NewEpisode } from './rows.ts';

/** Errors and episodes that one decision writes, and what is known of their incidents. */
export class IncidentLog {
  readonly errors: ErrorRow[] = [];
  readonly #tx: StoreTransaction;
  readonly #opened: string;
  readonly #episodes: NewEpisode[] = [];

  /** @param opened The id of an incident that the decision opened. No other incident has it. */
  constructor(tx: StoreTransaction, opened: string) {
    this.#tx = tx;
    this.#opened = opened;
  }

  async addError(row: ErrorRow): Promise<void> {
    await this.#tx.insertError(row);
    this.errors.push(row);
  }

  async addEpisode(row: NewEpisode): Promise<void> {
    await this.#tx.insertEpisode(row);
    this.#episodes.push(row);
  }

  /** Whether the decision opened it. */
  isNew(incident: string): boolean {
    return incident === this.#opened;
  }

  /** The id of the newest error; null when there is none. */
  async lastErrorOf(incident: string): Promise<string | null> {
    if (!this.isNew(incident)) return this.#tx.lastErrorOf(incident);
    return this.errors.findLast(({ incidentId }) => incidentId === incident)?.id ?? null;
  }

  /** Newest first. */
  async episodesOf(incident: string, limit: number): Promise<readonly NewEpisode[]> {
    if (!this.isNew(incident)) return this.#tx.listEpisodes({ incidentId: incident, limit });
    return this.#ownEpisodes(incident).toReversed().slice(0, limit);
  }

  /** The open question, once the episode of the one that is asked now is added; null when there is none. */
  async questionOf(incident: string): Promise<Pick<EscalationRow, 'id'> | null> {
    const isFirst = this.#ownEpisodes(incident).filter(({ kind }) => kind === 'escalated').length <= 1;
    if (this.isNew(incident) && isFirst) return null;
    const [open] = await this.#tx.listEscalations({ incidentId: incident, open: true, limit: 1 });
    return open ?? null;
  }

  #ownEpisodes(incident: string): readonly NewEpisode[] {
    return this.#episodes.filter(({ incidentId }) => incidentId === incident);
  }
}
