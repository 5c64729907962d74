/** Kills the coordinator in the middle of work, and starts it again. The rules that had fired by then are known exactly. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../../../../tools/fleet/wait.ts';
import type { Scene } from './scene.ts';
import type { Stand } from './stand.ts';
import { together } from './together.ts';

/** Milliseconds for one step on a loaded machine. */
const STEP_MS = 120_000;

/** Rules that had fired, by worker and in their order, at the moment of a kill. */
type Snapshot = ReadonlyMap<string, readonly string[]>;

/** A moment: one rule has fired, and the rule that ends the operation has not. */
export interface Moment {
  readonly after: string;
  readonly before: string;
}

/** Kills on one stand. Scenarios that run at the same time share a kill. */
export class Kills {
  readonly #stand: Stand;
  readonly #rules: () => Promise<Snapshot>;
  readonly #snapshots: Snapshot[] = [];
  #last: Promise<void> = Promise.resolve();

  constructor(stand: Stand) {
    this.#stand = stand;
    this.#rules = together(() => rulesOf(stand));
  }

  /** Waits for the moment and kills, unless another scenario's kill fell into it already. @throws if the moment was missed. */
  async at(scene: Scene, moment: Moment): Promise<void> {
    let rules: readonly string[] = [];
    const ask = async (): Promise<true | undefined> => {
      rules = (await this.#rules()).get(scene.name) ?? [];
      return rules.includes(moment.after) || undefined;
    };
    await until(() => `${moment.after} of ${scene.name}; heard: ${rules.join(', ')}`, ask, STEP_MS);
    this.#last = this.#last.then(() => (this.#hit(scene, moment) ? undefined : this.#kill()));
    await this.#last;
    if (!this.#hit(scene, moment))
      throw new Error(`No kill came after ${moment.after} and before ${moment.before} of ${scene.name}`);
  }

  #hit({ name }: Scene, { after, before }: Moment): boolean {
    return this.#snapshots.some((snapshot) => {
      const rules = snapshot.get(name) ?? [];
      return rules.includes(after) && !rules.slice(rules.indexOf(after)).includes(before);
    });
  }

  async #kill(): Promise<void> {
    const { coordinator } = this.#stand;
    await coordinator.kill();
    this.#snapshots.push(await rulesOf(this.#stand));
    coordinator.start();
    await coordinator.ready();
  }
}

/** Program that starts the simulated agent as soon as its worktree is no longer held back. */
const HELD_AGENT = `#!/bin/sh
while [ -e "$(dirname "$0")/hold-$(basename "$PWD")" ]; do sleep 0.1; done
exec sim-agent "$@"
`;

/** Installs the program for scenarios with an agent that is held back. */
export function installHeldAgent({ site }: Stand): void {
  writeFileSync(join(site.dir, 'held-agent'), HELD_AGENT, { mode: 0o755 });
}

/** Holds back every start of the worker's agent. @returns a function that releases it. */
export function holdBack({ stand, name }: Scene): () => void {
  const file = join(stand.site.dir, `hold-${name}`);
  writeFileSync(file, '');
  return () => rmSync(file);
}

async function rulesOf(stand: Stand): Promise<Snapshot> {
  const query = `SELECT e.worker_name AS name, r.rule FROM events e,
    jsonb_array_elements_text(e.rules) WITH ORDINALITY AS r(rule, place) ORDER BY e.id, r.place`;
  const byName = Map.groupBy(await stand.sql(query), ({ name }) => String(name));
  return new Map([...byName].map(([name, rows]) => [name, rows.map(({ rule }) => String(rule))]));
}
