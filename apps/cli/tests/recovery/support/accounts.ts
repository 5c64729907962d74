/** Facts about the account of a worker, and events of its policy that are no line of its history. */
import type { AccountView } from '@drover/api';
import { until } from '../../../../../tools/fleet/wait.ts';
import type { Scene } from './scene.ts';

/** Milliseconds for one step on a loaded machine. */
const STEP_MS = 120_000;

/** Waits until the account of the worker matches. The worker is the only one of the account that waits or tries. */
export async function accountOf({ stand, name }: Scene, wanted: Partial<AccountView>): Promise<void> {
  let seen: AccountView | undefined;
  const ask = async (): Promise<true | undefined> => {
    seen = (await stand.api.accounts.query()).find(({ waiting, probe }) => [...waiting, probe].includes(name));
    const { state, stated } = { ...seen, ...wanted };
    return (seen?.state === state && seen?.stated === stated) || undefined;
  };
  await until(() => `the account of ${name}: ${JSON.stringify(seen)}`, ask, STEP_MS);
}

/** Lists the rules of each decision about the worker, oldest first, including decisions without a result for people. */
export async function decisionsSoFar({ stand, name }: Scene): Promise<readonly (readonly string[])[]> {
  const query = `SELECT e.rules FROM events e JOIN workers w ON w.id = e.worker_id WHERE w.name = $1 ORDER BY e.id`;
  return (await stand.sql(query, [name])).map(({ rules }) => (Array.isArray(rules) ? rules.map(String) : []));
}

/** Lists every rule that fired for the worker so far, oldest first. */
export async function heardSoFar(scene: Scene): Promise<readonly string[]> {
  return (await decisionsSoFar(scene)).flat();
}

/** Waits for such a rule. */
export async function heard(scene: Scene, rule: string): Promise<void> {
  let rules: readonly string[] = [];
  const ask = async (): Promise<true | undefined> => {
    rules = await heardSoFar(scene);
    return rules.includes(rule) || undefined;
  };
  await until(() => `${rule} of ${scene.name}; heard: ${rules.join(', ')}`, ask, STEP_MS);
}
