/** Checks what an account does that runs dry (W11): by the turns that came to nothing, and by what is ordered while the limit is known. */
import { allItems } from '@drover/core';
import type { RunEvent } from '@drover/core';
import type { MemoryDatabase } from '@drover/store/testing';
import type { Took } from '../../machine/runs/agents.ts';
import { makeCheck } from '../../runs/tally.ts';
import type { Check, Tally } from '../../runs/tally.ts';
import { keyOf, type Moment } from './moment.ts';

const PROMISED = {
  limit: 'a limit spends no try (W11)',
  met: 'one limit meets at most as many items of a run as the run has workers (W11)',
  dry: 'no text is ordered for an agent whose account is known to be limited (W11)',
} as const;

export class LimitChecks {
  readonly #database: MemoryDatabase;
  readonly #tally: Tally;
  readonly #check: Check<typeof PROMISED>;
  /** Attempts whose newest turn came to nothing because the account was dry, with their workers. */
  readonly #cut = new Map<string, string>();
  /** Items that met a limit, by run and limit. */
  readonly #met = new Map<string, Set<string>>();
  readonly #known = new Set<string>();

  constructor(database: MemoryDatabase, tally: Tally) {
    this.#database = database;
    this.#tally = tally;
    this.#check = makeCheck(tally, PROMISED);
  }

  /** An agent begins a turn for an item. */
  took({ workerId, owed, dryUntil }: Took): void {
    const key = keyOf(owed);
    if (dryUntil === null) return void this.#cut.delete(key);
    const { runId, item } = owed;
    this.#cut.set(key, workerId);
    const limit = `${runId} ${this.#database.workers.get(workerId)?.machineId} ${dryUntil}`;
    const met = (this.#met.get(limit) ?? new Set()).add(item);
    this.#met.set(limit, met);
    this.#tally.fault('note: an account ran dry at an item of a run', key);
    const workers = this.#database.runs.get(runId)?.state.terms.flow.budget.workers ?? 0;
    this.#check('met', met.size <= workers, `${runId}: ${[...met].join(', ')} met one limit, for ${workers} workers`);
  }

  /** A worker's program begins: what stops it from now on is no limit. */
  started(workerId: string): void {
    for (const [key, worker] of this.#cut) if (worker === workerId) this.#cut.delete(key);
  }

  /** Checks a decision. A try is spent by what an agent did, or failed to do, since the limit. */
  checkDecision({ before, row: { id, state }, event }: Moment): void {
    this.#lost(id, event.event);
    const was = new Map(allItems(before).map((item) => [item.name, item]));
    for (const { name, triesSpent } of allItems(state)) {
      const { attempt = 0, triesSpent: spent = 0 } = was.get(name) ?? {};
      const isByLimit = triesSpent > spent && this.#cut.has(keyOf({ runId: id, item: name, attempt }));
      this.#check('limit', !isByLimit, `${id}: a limit spent a try of ${name} (${event.kind})`);
    }
  }

  /** Hears that the program of an attempt was not found: that ends it, and no limit. */
  #lost(runId: string, event: RunEvent): void {
    if (event.kind !== 'task-ended' || event.end.kind !== 'failed' || event.end.code !== 'AGENT_CLI_NOT_FOUND') return;
    const { item, attempt } = event;
    this.#cut.delete(keyOf({ runId, item, attempt }));
  }

  /** Looks at what was ordered. A worker that is still to hear of the limit may have its text. */
  committed(): void {
    const { accounts, dueWork, outbox } = this.#database;
    for (const { id, workerId, machineId, body } of outbox.values()) {
      if (this.#known.has(id)) continue;
      this.#known.add(id);
      if (body.kind !== 'command' || body.command.kind !== 'deliver' || workerId === null) continue;
      const state = [...accounts.values()].find(({ key }) => key.endsWith(`@${machineId}`))?.state;
      const isProbe = state?.kind === 'probing' && state.probe === workerId;
      // Once the limit is to be over, a worker that heard no word in time tries by itself.
      const isOver = state?.kind === 'paused' && state.wakeAt <= this.#database.now();
      const isOpen = state === undefined || state.kind === 'open' || isProbe || isOver;
      const isToHear = dueWork.has(`worker-event ${workerId}:account`);
      const name = this.#database.workers.get(workerId)?.name;
      this.#check('dry', isOpen || isToHear, `${name} is given a text, and its account is ${state?.kind}`);
    }
  }
}
