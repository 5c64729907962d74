// Simulates people who keep many workers busy, and accept what has gathered at once, as `drover accept a b c` does.
import { isAccepting } from '@drover/core';
import type { WorkerRow } from '@drover/store';
import type { Scene } from '../scene.ts';
import { PERSON, refOf, type Asked } from './people.ts';

interface CrowdParts extends Pick<Scene, 'random' | 'database' | 'time' | 'checker'> {
  /** Chance that they accept all that waits at once, where more than one does. */
  readonly crowd: number;
  readonly request: (what: string, ask: Asked) => Promise<boolean>;
  readonly readReview: (row: WorkerRow) => Promise<unknown>;
  readonly start: (row: WorkerRow) => Promise<void>;
}

/** People of a schedule in which trains go. */
export class Crowd {
  readonly #parts: CrowdParts;

  constructor(parts: CrowdParts) {
    this.#parts = parts;
  }

  /** Keeps many at work, and accepts what has gathered. */
  lead(rows: readonly WorkerRow[]): Promise<unknown> | undefined {
    const { random, crowd, start } = this.#parts;
    const waiting = rows.filter(isReviewed);
    if (waiting.length > 1 && random.chance(crowd)) return this.#acceptAll(waiting);
    const idle = rows.filter(({ state }) => state.lifecycle.status === 'idle');
    return idle.length > 0 ? start(random.pick(idle)) : undefined;
  }

  /** All that waits, as `drover accept a b c`; somebody else wants one of them otherwise meanwhile. */
  async #acceptAll(rows: readonly WorkerRow[]): Promise<void> {
    const { random, checker, database, time, readReview, request } = this.#parts;
    for (const row of rows) await readReview(row);
    if (random.chance(0.2)) time.after(random.int(1, 20_000), () => void this.#interfere(random.pick(rows)));
    for (const { id } of rows) checker.merges.noteAcceptRequest(id);
    const names = rows.map((row) => refOf(database, row));
    await request(`accept ${names.join(' ')}`, (fleet, requestId) => {
      const items = names.map((name, index) => ({ requestId: idOf(requestId, index), name }));
      return fleet.acceptTogether({ items, nothing: false }, PERSON);
    });
  }

  #interfere(row: WorkerRow): Promise<unknown> {
    const { random, checker, database, request } = this.#parts;
    const { id } = row;
    const name = refOf(database, row);
    if (random.chance(0.4))
      return request(`nuke ${name}`, (fleet, requestId) =>
        fleet.nuke({ requestId, name, force: true, task: 'requeue' }, PERSON),
      );
    if (random.chance(0.5))
      return request(`rebase ${name}`, (fleet, requestId) => fleet.rebase({ requestId, name }, PERSON));
    checker.merges.noteAcceptRequest(id);
    return request(`accept ${name} once more`, (fleet, requestId) =>
      fleet.accept({ requestId, name, nothing: false }, PERSON),
    );
  }
}

/** An id for each item, the same ones when the request is repeated. */
function idOf(requestId: string, index: number): string {
  return `${(0xf0 - index).toString(16)}${requestId.slice(2)}`;
}

function isReviewed({ state: { lifecycle, merge } }: WorkerRow): boolean {
  return lifecycle.status === 'needs_review' && !isAccepting(merge.step);
}
