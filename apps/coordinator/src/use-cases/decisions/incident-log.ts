/** What is written of an incident so far? Of one that a decision opened, only that decision has written: the database is not asked. */
import type { ErrorRow, EscalationRow, StoreTransaction } from '@drover/store';
import type { NewEpisode } from './rows.ts';

/** Errors and episodes that one decision writes, and what is known of their incidents. */
export class IncidentLog {
  readonly errors: ErrorRow[] = [];
  readonly #tx: StoreTransaction;
  /** The id that an incident has which the decision opened; null: it opened none. */
  readonly #opened: string | null;
  readonly #episodes: NewEpisode[] = [];

  constructor(tx: StoreTransaction, { opened }: { readonly opened: string | null }) {
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

  /** The open question, before an episode that asks one now; null when there is none. */
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
