// Simulates a person who changes settings while workers work: those of a project, as `drover project apply` does, and those of single workers.
// Draws from a chance of its own.
import type { Fleet } from '@drover/api';
import type { MemoryDatabase } from '@drover/store/testing';
import { SeededRandom } from '@drover/testkit';
import type { VirtualTime } from '@drover/testkit';
import type { SimProject } from '../coordinator/projects.ts';
import type { Replica } from '../coordinator/replica.ts';
import type { Tally } from '../runs/tally.ts';
import { PERSON } from './recovery.ts';
import { refOf } from './ref.ts';

export interface EditorParts {
  readonly seed: number;
  readonly time: VirtualTime;
  readonly tally: Tally;
  readonly database: MemoryDatabase;
  readonly replicas: readonly Replica[];
  readonly projects: readonly SimProject[];
  /** The names of the machines, in their order. */
  readonly machines: readonly string[];
  /** Tells whether documents are applied: they say also how people are called, which a chat has of its own. */
  readonly mayApply: boolean;
  /** Tells whether people do nothing any more. */
  readonly isAway: () => boolean;
}

/** Schedules per schedule whose settings stay as they are. */
const STAYS_EVERY = 4;
/** Milliseconds between two changes, at most. */
const PACE_MS = 12_000;
/** A person who applies a document tries again while replicas are down. */
const APPLY_TRIES = 600;

const MODELS = [null, 'opus', 'sonnet'] as const;
const CHECKS = ['[["npm", "test"]]', '[["npm", "run", "check"]]', '[["npm", "test"], ["npm", "run", "lint"]]'] as const;

/** Simulates a person who changes settings. */
export class Editor {
  readonly #parts: EditorParts;
  readonly #random: SeededRandom;
  #count = 0;

  constructor(parts: EditorParts) {
    this.#parts = parts;
    this.#random = new SeededRandom(parts.seed * 122_949_823 + 23);
  }

  /** Changes settings until people go away. */
  async live(): Promise<void> {
    const { time, seed, isAway } = this.#parts;
    if (seed % STAYS_EVERY === 0) return;
    while (!isAway()) {
      await time.sleep(this.#random.int(500, PACE_MS));
      if (!isAway()) await this.#act();
    }
  }

  #act(): Promise<void> | undefined {
    const { projects, mayApply } = this.#parts;
    // Projects whose home is a root are described by the document of the root.
    const open = projects.filter(({ home, isHomeNamed }) => home === null || isHomeNamed);
    if (!mayApply || open.length === 0 || this.#random.chance(0.6)) return this.#edit();
    return this.#apply(this.#random.pick(open));
  }

  async #apply({ name, source, home }: SimProject): Promise<void> {
    const { time, machines, tally } = this.#parts;
    const toml = this.#document(home === null ? null : (machines[home] ?? null));
    const document = { name, source, branch: 'main', toml, from: '/src/drover.toml', force: true, dryRun: false };
    for (let tries = 0; tries < APPLY_TRIES; tries += 1) {
      const outcome = await this.#ask(`apply ${name}`, (fleet) => fleet.applyProject(document, PERSON));
      if (outcome === 'ok') tally.fault('note: a project is changed', name);
      if (outcome !== 'failed') return;
      await time.sleep(1_000);
    }
  }

  #document(home: string | null): string {
    const random = this.#random;
    const model = random.pick(MODELS);
    return [
      '[repo]',
      `validate = ${random.pick(CHECKS)}`,
      'validate_timeout_secs = 1',
      ...(home === null ? [] : [`home = "${home}"`]),
      '[defaults]',
      ...(model === null ? [] : [`model = "${model}"`]),
      `skip_permissions = ${random.chance(0.5)}`,
      `role_prompt = "${this.#words()}"`,
      '[workers.w0]',
      `excluded_from_pool = ${random.chance(0.5)}`,
      `model = "${random.pick(['haiku', 'opus'])}"`,
      '[policy.checkpoint]',
      `everyMs = ${random.pick([10_000, 15_000, 20_000])}`,
    ].join('\n');
  }

  #words(): string {
    this.#count += 1;
    return `be careful, said ${this.#count} times`;
  }

  async #edit(): Promise<void> {
    const { database, tally } = this.#parts;
    const random = this.#random;
    const rows = [...database.workers.values()];
    if (rows.length === 0) return;
    const name = refOf(database, random.pick(rows));
    const what = random.pick(['model', 'rolePrompt', 'role', 'excludedFromPool'] as const);
    const said = {
      model: { model: random.pick(MODELS) },
      rolePrompt: { rolePrompt: this.#words() },
      role: { role: random.pick(['developer', 'reviewer']) },
      excludedFromPool: { excludedFromPool: random.chance(0.5) },
    }[what];
    const isBack = random.chance(0.4);
    const change = isBack ? { name, follow: [what] } : { name, follow: [], ...said };
    if ((await this.#ask(`edit ${name} ${what}`, (fleet) => fleet.editWorker(change, PERSON))) === 'ok')
      tally.fault(isBack ? 'note: a worker follows again' : 'note: a worker is edited', `${name} ${what}`);
  }

  async #ask(
    what: string,
    run: (fleet: Fleet) => Promise<{ readonly kind: string }>,
  ): Promise<'ok' | 'refused' | 'failed'> {
    const { replicas, tally } = this.#parts;
    try {
      const { kind } = await this.#random.pick(replicas).serve(({ fleet }) => run(fleet));
      tally.log(`EDITOR ${what}: ${kind}`);
      return kind === 'refused' ? 'refused' : 'ok';
    } catch (error) {
      tally.log(`EDITOR ${what}: ${String(error)}`);
      return 'failed';
    }
  }
}
