// Simulates a person who changes settings while workers work: those of a project, as `drover project apply` does, and those of single workers.
// Draws from a chance of its own.
import { SeededRandom } from '@drover/testkit';
import type { SimProject } from '../coordinator/projects.ts';
import type { Budgets } from '../faults/spending.ts';
import { askOnce, PERSON, refOf, untilAway, type PeopleParts } from './people.ts';

export interface EditorParts extends PeopleParts {
  readonly projects: readonly SimProject[];
  /** The names of the machines, in their order. */
  readonly machines: readonly string[];
  /** Tells whether documents are applied: they say also how people are called, which a chat has of its own. */
  readonly mayApply: boolean;
  /** Budgets that documents keep; null: there are none. */
  readonly budgets: Budgets | null;
}

/** Schedules per schedule whose settings stay as they are. */
const STAYS_EVERY = 4;
/** Milliseconds between two changes, at most. */
const PACE_MS = 12_000;
/** A person who applies a document tries again while replicas are down. */
const APPLY_TRIES = 600;

const MODELS = [null, 'opus', 'sonnet'] as const;
const CHECKS = ['[["npm", "test"]]', '[["npm", "run", "check"]]', '[["npm", "test"], ["npm", "run", "lint"]]'] as const;

/** Changes settings until people go away. */
export async function editSettings(parts: EditorParts): Promise<void> {
  const { seed, time, tally, database, projects, machines, mayApply, budgets } = parts;
  const random = new SeededRandom(seed * 122_949_823 + 23);
  let count = 0;
  if (seed % STAYS_EVERY === 0) return;
  await untilAway(parts, () => random.int(500, PACE_MS), act);

  function act(): Promise<void> {
    // Projects whose home is a root are described by the document of the root.
    const open = projects.filter(({ home, isHomeNamed }) => home === null || isHomeNamed);
    return !mayApply || open.length === 0 || random.chance(0.6) ? edit() : apply(random.pick(open));
  }

  async function apply({ name, source, home }: SimProject): Promise<void> {
    const toml = documentOf(home === null ? null : (machines[home] ?? null));
    const document = { name, source, branch: 'main', toml, from: '/src/drover.toml', force: true, dryRun: false };
    for (let tries = 0; tries < APPLY_TRIES; tries += 1) {
      const told = await askOnce(parts, { random, what: `EDITOR apply ${name}` }, (fleet) =>
        fleet.applyProject(document, PERSON),
      );
      if (told !== null && told !== 'refused') tally.fault('note: a project is changed', name);
      if (told !== null) return;
      await time.sleep(1_000);
    }
  }

  function documentOf(home: string | null): string {
    const model = random.pick(MODELS);
    return [
      '[repo]',
      `validate = ${random.pick(CHECKS)}`,
      'validate_timeout_secs = 1',
      ...(home === null ? [] : [`home = "${home}"`]),
      '[defaults]',
      ...(model === null ? [] : [`model = "${model}"`]),
      `skip_permissions = ${random.chance(0.5)}`,
      `role_prompt = "${words()}"`,
      '[workers.w0]',
      `excluded_from_pool = ${random.chance(0.5)}`,
      `model = "${random.pick(['haiku', 'opus'])}"`,
      '[policy.checkpoint]',
      `everyMs = ${random.pick([10_000, 15_000, 20_000])}`,
      '[budget]',
      ...Object.entries(budgets ?? {}).map(([scope, { tokens }]) => `${scope} = { tokens = ${tokens} }`),
    ].join('\n');
  }

  function words(): string {
    count += 1;
    return `be careful, said ${count} times`;
  }

  async function edit(): Promise<void> {
    const rows = [...database.workers.values()];
    if (rows.length === 0) return;
    const name = refOf(database, random.pick(rows));
    const what = random.pick(['model', 'rolePrompt', 'role', 'excludedFromPool'] as const);
    const said = {
      model: { model: random.pick(MODELS) },
      rolePrompt: { rolePrompt: words() },
      role: { role: random.pick(['developer', 'reviewer']) },
      excludedFromPool: { excludedFromPool: random.chance(0.5) },
    }[what];
    const isBack = random.chance(0.4);
    const change = isBack ? { name, follow: [what] } : { name, follow: [], ...said };
    const told = await askOnce(parts, { random, what: `EDITOR edit ${name} ${what}` }, (fleet) =>
      fleet.editWorker(change, PERSON),
    );
    if (told === null || told === 'refused') return;
    tally.fault(isBack ? 'note: a worker follows again' : 'note: a worker is edited', `${name} ${what}`);
  }
}
