// Kills an agent, or coordinators, at one point of one step of what is under way: a move, an accept, a train, a run.
import { isAccepting, membersOf, runOf } from '@drover/core';
import type { CrashPoint } from '@drover/machine-agent/testing';
import type { DueWork, StoreTransaction, WorkerRow } from '@drover/store';
import { changedMethods, type FaultPoint, type MemoryDatabase, type StoreClient } from '@drover/store/testing';

/** Work that is under way when the process is killed. */
export type Way = 'accept' | 'train' | 'move' | 'run';

/**
 * Points in a step: a command begins, is done, and is on record at its machine; then a coordinator takes its result, decides, and has committed
 * what follows, before any of that was done.
 */
export type KillPoint = Extract<CrashPoint, 'started' | 'acted' | 'recorded'> | 'taking' | 'deciding' | 'decided';

/** Victim of a kill, and its moment. */
export interface Kill {
  readonly way: Way;
  readonly who: 'agent' | 'coordinator';
  readonly point: KillPoint;
  /** The kind of the command or query; of a coordinator's own step in a run: `hears` and the event, or `carries out` and the request. */
  readonly kind: string;
  /** Counts a kill. @returns whether that was enough for this schedule. */
  readonly done: () => boolean;
}

/** Statements of the store at which a coordinator dies, after it has begun to take the result. */
const AT: Readonly<Partial<Record<KillPoint, FaultPoint['at']>>> = { deciding: 'commit', decided: 'committed' };

/** Watches one schedule for the moment. */
export class Killer {
  readonly #kill: Kill;
  readonly #database: MemoryDatabase;
  readonly #crashAll: () => void;
  /** Workers that are, or were, in one train, until their work is merged. */
  readonly #together = new Set<string>();
  #isEnough = false;
  /** A result is on its way to a coordinator. */
  #isComing = false;
  /** The coordinator that takes it. */
  #taker: string | null = null;

  /** `crashAll` ends all coordinators. */
  constructor(kill: Kill, { database, crashAll }: { database: MemoryDatabase; crashAll: () => void }) {
    this.#kill = kill;
    this.#database = database;
    this.#crashAll = crashAll;
  }

  /** An agent is at a point of a command. @returns whether it dies. Coordinators may die here too. */
  agentDies(point: CrashPoint, kind: string): boolean {
    const { kind: wanted, point: at, who } = this.#kill;
    const rows = [...this.#database.workers.values()];
    if (this.#kill.way === 'train') this.#noteTrains(rows);
    if (this.#isEnough || kind !== wanted || !this.#isUnderWay(kind, rows)) return false;
    const isOfCoordinator = at === 'taking' || at === 'deciding' || at === 'decided';
    if (isOfCoordinator && point === 'recorded') this.#isComing = true;
    if (point !== at) return false;
    this.#isEnough = this.#kill.done();
    if (who === 'coordinator') this.#crashAll();
    return who === 'agent';
  }

  /** Watches a coordinator's own steps of runs: events that it decides about, and requests that it carries out. */
  watch(name: string, store: StoreClient): StoreClient {
    if (this.#kill.way !== 'run') return store;
    const does = (step: string): void => {
      if (!this.#isEnough && step === this.#kill.kind) [this.#isComing, this.#taker] = [true, name];
    };
    const watched = (tx: StoreTransaction): StoreTransaction =>
      changedMethods(tx, {
        insertRunEvent: (row) => {
          does(`hears ${row.kind}`);
          return tx.insertRunEvent(row);
        },
        // Each step of a request locks its row first.
        lockDueWork: async (work) => {
          const isOurs = await tx.lockDueWork(work);
          if (isOurs) does(`carries out ${requestOf(work)}`);
          return isOurs;
        },
      });
    return { ...store, transaction: (work) => store.transaction((tx) => work(watched(tx))) };
  }

  /** A coordinator is at a point of a statement. @returns whether it dies. */
  coordinatorDies(name: string, { at, method }: FaultPoint): boolean {
    if (!this.#isComing) return false;
    const isTaking = at === 'statement' && method === 'finishCommands';
    if (isTaking) this.#taker ??= name;
    const { point } = this.#kill;
    const isThere = point === 'taking' ? isTaking : this.#taker === name && at === AT[point];
    if (!isThere) return false;
    this.#isComing = false;
    this.#taker = null;
    this.#isEnough = this.#kill.done();
    return true;
  }

  #isUnderWay(kind: string, rows: readonly WorkerRow[]): boolean {
    const { way } = this.#kill;
    const doing = rows.filter(({ state }) => state.command.inFlight?.command.kind === kind);
    switch (way) {
      case 'accept':
        return doing.some(({ state }) => isAccepting(state.merge.step));
      case 'train':
        return doing.some(({ id, state }) => isAccepting(state.merge.step) && this.#isOfTrain(id, kind));
      case 'move':
        // A machine does these for a move alone, if it does no command of the worker's own.
        return OWN.has(kind) ? doing.some(({ state }) => state.move.kind !== 'none') : true;
      case 'run':
        return kind.startsWith('run-') || doing.some(({ state }) => runOf(state.task) !== null);
      default:
        return way satisfies never;
    }
  }

  /** The first command of a train asks who can come along. */
  #isOfTrain(id: string, kind: string): boolean {
    return kind === 'extend' || this.#together.has(id);
  }

  #noteTrains(rows: readonly WorkerRow[]): void {
    for (const { id, state } of rows) {
      const { step } = state.merge;
      if (!isAccepting(step)) this.#together.delete(id);
      const members = membersOf(step);
      if (members.length > 0) for (const one of [id, ...members.map((member) => member.id)]) this.#together.add(one);
    }
  }
}

/** Commands of workers that are given beside moves too. */
const OWN: ReadonlySet<string> = new Set(['close', 'freeze', 'restore', 'let-in', 'open']);

/** Names the request of a run that a row of due work carries out. */
function requestOf({ kind, payload }: DueWork): string | null {
  if (kind !== 'run-request') return null;
  return (payload as { readonly request: { readonly kind: string } }).request.kind;
}
