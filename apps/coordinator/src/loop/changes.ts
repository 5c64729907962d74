/** Collects the rows of decisions by table, and writes them in few statements, in the store's order of locks. */
import type {
  Checkout,
  DueWork,
  EpisodeRow,
  ErrorRow,
  IncidentRow,
  NewCommand,
  SavedDecision,
  StoreTransaction,
  WorkerReceipt,
} from '@drover/store';

/** A line of the episodes, before the database gives it an id. */
export type NewEpisode = Omit<EpisodeRow, 'id'>;

/** Work to do in the transaction. */
export type Work = () => Promise<void>;

/** A decision, and the number of its first command if it gives up the previous command. */
export interface Decided extends SavedDecision {
  readonly supersededBy: number | null;
}

/**
 * Collects the rows of decisions on several workers, each decided once. `save` writes the rows. Work of a subject that reads or locks by
 * itself, such as a question or an account, runs after that, in the order of the requests.
 */
export class Changes {
  readonly #tx: StoreTransaction;
  readonly #decisions: Decided[] = [];
  readonly #checkouts: (() => Promise<void>)[] = [];
  readonly #leases: { readonly projectId: string; readonly workerId: string | null }[] = [];
  readonly #incidents: IncidentRow[] = [];
  /** Rows to add, and work on rows that exist by then. */
  readonly #errors: (ErrorRow | Work)[] = [];
  readonly #episodes: NewEpisode[] = [];
  readonly #receipts: WorkerReceipt[] = [];
  readonly #queries: { readonly query: NewCommand; readonly now: number }[] = [];
  readonly #due: DueWork[] = [];
  /** Accounts are locked before questions. */
  readonly #accounts: Work[] = [];
  readonly #subjects: Work[] = [];

  constructor(tx: StoreTransaction) {
    this.#tx = tx;
  }

  /** Tells whether a decision on this worker waits to be saved. */
  concerns(workerId: string): boolean {
    return this.#decisions.some(({ row }) => row.id === workerId);
  }

  decided(decision: Decided): void {
    this.#decisions.push(decision);
  }

  saveCheckout(of: { readonly machineId: string; readonly projectId: string }, checkout: Checkout): void {
    this.#checkouts.push(() => this.#tx.saveCheckout(of, checkout));
  }

  setMergeWorker(projectId: string, workerId: string | null): void {
    this.#leases.push({ projectId, workerId });
  }

  saveIncidents(rows: readonly IncidentRow[]): void {
    this.#incidents.push(...rows);
  }

  addError(row: ErrorRow): void {
    this.#errors.push(row);
  }

  /** Ends errors that were added before. */
  endErrors(work: Work): void {
    this.#errors.push(work);
  }

  addEpisode(row: NewEpisode): void {
    this.#episodes.push(row);
  }

  addReceipt(row: WorkerReceipt): void {
    this.#receipts.push(row);
  }

  ask(query: NewCommand | null, now: number): void {
    if (query !== null) this.#queries.push({ query, now });
  }

  schedule(work: DueWork): void {
    this.#due.push(work);
  }

  /** Queues work for after the rows are saved; the work may collect more. */
  withAccount(work: Work): void {
    this.#accounts.push(work);
  }

  /** Queues work for after the work on accounts. */
  withSubject(work: Work): void {
    this.#subjects.push(work);
  }

  /** Writes everything: the rows, then the work of subjects one after the other, then the rows that this work has collected. */
  async save(): Promise<void> {
    for (;;) {
      await this.#write();
      let work = this.#nextWork();
      if (work === undefined) return;
      for (; work !== undefined; work = this.#nextWork()) await work();
    }
  }

  #nextWork(): Work | undefined {
    return this.#accounts.shift() ?? this.#subjects.shift();
  }

  async #write(): Promise<void> {
    const tx = this.#tx;
    const decisions = this.#decisions.splice(0);
    for (const { row, supersededBy } of decisions)
      if (supersededBy !== null) await tx.dropCommandsBefore(row.id, supersededBy);
    if (decisions.length > 0) await tx.saveDecisions(decisions);
    for (const save of this.#checkouts.splice(0)) await save();
    for (const { projectId, workerId } of this.#leases.splice(0)) await tx.setMergeWorker(projectId, workerId);
    if (this.#incidents.length > 0) await tx.saveIncidents(this.#incidents.splice(0));
    await this.#writeErrors();
    if (this.#episodes.length > 0) await tx.insertEpisodes(this.#episodes.splice(0));
    if (this.#receipts.length > 0) await tx.insertReceipts(this.#receipts.splice(0));
    const queries = this.#queries.splice(0);
    const [last] = queries.slice(-1);
    if (last !== undefined)
      await tx.insertCommands(
        queries.map(({ query }) => query),
        last.now,
      );
    const due = latest(this.#due.splice(0));
    if (due.length > 0) await tx.schedule(due);
  }

  async #writeErrors(): Promise<void> {
    let rows: ErrorRow[] = [];
    const add = async (): Promise<void> => {
      if (rows.length > 0) await this.#tx.insertErrors(rows);
      rows = [];
    };
    for (const one of this.#errors.splice(0)) {
      if (typeof one !== 'function') {
        rows.push(one);
        continue;
      }
      await add();
      await one();
    }
    await add();
  }
}

/** Keeps the last of each key, in the order of the keys: two transactions lock rows in the same order. */
function latest(due: readonly DueWork[]): readonly DueWork[] {
  const byKey = new Map(due.map((work) => [`${work.kind} ${work.key}`, work]));
  return [...byKey].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, work]) => work);
}
