// Writes down a run, so that the next one goes on from there.
import { mishapLine } from './chaos.ts';
import { count, ledgerLine, witnessLine } from './count.ts';
import { addLine, linesOf } from './files.ts';
import { remember, subjectsOf, type Memory } from './place.ts';
import type { Row } from './report.ts';
import type { Running } from './running.ts';
import { judged, keep, stocks, weights } from './sizes.ts';

/** The memory of one run. */
export class Log {
  readonly running: Running;
  readonly #before: number;
  readonly #startedAt = Date.now();
  #memory: Memory;

  constructor(running: Running, memory: Memory) {
    this.running = running;
    this.#before = memory.ranMs;
    this.#memory = memory;
    this.#remember({});
  }

  /** Milliseconds that all runs have lasted together. */
  ranMs(): number {
    return this.#before + Date.now() - this.#startedAt;
  }

  nextTask(): number {
    const { nextTask } = this.#memory;
    this.#remember({ nextTask: nextTask + 1 });
    return nextTask;
  }

  /** Weighs the processes; also counts rows, files and bytes, unless the database is away just now. */
  async takeSample(withStocks: boolean): Promise<void> {
    this.#remember({});
    const { place, agent, coordinator, database, databaseUrl } = this.running;
    const processes = weights(place, { agent: agent.pid, coordinator: coordinator.pid, database: database.pid });
    const counted = withStocks ? await stocks(place, databaseUrl).catch(() => undefined) : undefined;
    keep(place, { at: Date.now(), ranMs: this.ranMs(), processes, ...(counted !== undefined && { stocks: counted }) });
  }

  /** Counts everything of all runs, and writes it down. */
  async tell(): Promise<Row> {
    const { place, api, agent, coordinator } = this.running;
    const witness = linesOf(place.witness, witnessLine, '"taken"');
    const row: Row = {
      at: new Date().toISOString(),
      ranMs: this.ranMs(),
      runs: this.#memory.runs,
      counts: count(linesOf(place.ledger, ledgerLine), witness, subjectsOf(place)),
      mishaps: linesOf(place.mishaps, mishapLine),
      ownEnds: { agent: agent.ownEnds, coordinator: coordinator.ownEnds },
      codes: await api.codes(Math.max(60_000, this.ranMs())),
      ...judged(place),
    };
    addLine(place.rows, row);
    return row;
  }

  #remember(patch: Partial<Memory>): void {
    this.#memory = { ...this.#memory, ...patch, ranMs: this.ranMs() };
    remember(this.running.place, this.#memory);
  }
}
