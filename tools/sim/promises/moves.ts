// Checks the promises about moves to another machine: work is never cleared that is nowhere else, and each worker is in one place.
import type { MemoryDatabase } from '@drover/store/testing';
import type { EventRow } from '@drover/store';
import type { PlaceLeft } from '../machine/parts.ts';
import type { SimMachine } from '../machine/sim-machine.ts';
import { count, makeCheck } from '../runs/tally.ts';
import type { Check, Tally } from '../runs/tally.ts';
import type { Repository } from './repository.ts';

const PROMISED = {
  once: 'a move changes the machine of a worker once, or there and back',
  held: 'a place is cleared only when its work is held where the worker is',
} as const;

/** Watches the moves of one schedule. */
export class MoveChecks {
  readonly #tally: Tally;
  readonly #repository: Repository;
  /** Changes of the worker's machine, by move. */
  readonly #changes = new Map<string, number>();
  readonly #check: Check<typeof PROMISED>;

  constructor(tally: Tally, repository: Repository) {
    this.#tally = tally;
    this.#repository = repository;
    this.#check = makeCheck(this.#tally, PROMISED);
  }

  /** A decision was stored. */
  noteRecords({ workerName, records }: Pick<EventRow, 'workerName' | 'records'>): void {
    for (const entry of records) {
      if (entry.kind !== 'machine-changed') continue;
      const times = (this.#changes.get(entry.checkpoint) ?? 0) + 1;
      this.#changes.set(entry.checkpoint, times);
      count(this.#tally.faults, times === 1 ? 'note: a worker is of another machine' : 'note: a worker came back');
      this.#check('once', times <= 2, `${workerName}: one move changes its machine ${times} times`);
    }
  }

  /** Checks the place on the machine that the worker left. Changes of an unseen agent in the place that it came back from are in the trash there. */
  checkLeft(workerId: string, { machine, move, works }: PlaceLeft): void {
    if (this.#changes.get(move) !== 1) return;
    const elsewhere = this.#repository.worksElsewhere(workerId, machine);
    const lost = [...works].filter((work) => !elsewhere.has(work));
    this.#check(
      'held',
      lost.length === 0,
      `${workerId}: ${machine} clears ${lost.join(', ')}, and no other machine has it`,
    );
  }
}

/** Moves that have not come to their end, though everything is at rest. */
export function* unendedMoves(database: MemoryDatabase, machines: readonly SimMachine[]): Generator<string> {
  for (const { id, name, machineId, state } of database.workers.values()) {
    const at = database.machines.get(machineId)?.name;
    for (const machine of machines) {
      const isHere = machine.parts.name === at;
      const pane = machine.panes.get(id);
      if (!isHere && pane?.program.end === null) yield `${name} is on ${at}, and has an agent on ${machine.parts.name}`;
      if (isHere && state.lifecycle.wanted === 'up' && machine.isFrozen(id) === true)
        yield `${name} is on ${at}, and nothing may begin in its place`;
    }
  }
}
