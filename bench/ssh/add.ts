// Measures how long it takes from `drover machine add` to the first idle worker there. As a person has it: the real command, two
// coordinators, a gateway, and a simulated agent. The repository has one commit, so that its clone takes next to nothing.
import { openDatabase } from '../../tools/demo/database.ts';
import type { Stage } from '../../tools/demo/fleet.ts';
import { Page } from '../../tools/demo/page.ts';
import { makePlace, removePlace } from '../../tools/demo/place.ts';
import { follow } from '../../tools/demo/story.ts';
import { makeRepositories, repositoriesOf } from '../../tools/demo/team/repositories.ts';
import { HOSTS, Team } from '../../tools/demo/team/team.ts';
import { median } from '../src/table.ts';
import type { Plan, Row } from './plan.ts';

/** Milliseconds from the command to the first idle worker, besides the clone. */
const AIM_MS = 15_000;
const PROJECT = 'shop';

/** Adds one host after another. */
export async function measureAdd({ added }: Plan): Promise<readonly Row[]> {
  const trouble = new AbortController();
  const place = await makePlace(process.env);
  try {
    const page = new Page({ colours: false, write: () => {} });
    const stage: Stage = { place, page, signal: trouble.signal, fail: (failure) => trouble.abort(failure) };
    await using stack = new AsyncDisposableStack();
    const database = stack.use(await openDatabase(undefined, place));
    const team = stack.use(await Team.start(stage, database.url));
    const happenings = stack.use(follow(stage, team));
    await team.joinGateway('north');
    await makeRepositories(place);
    const source = `file://${repositoriesOf(place)[PROJECT] ?? ''}`;
    await team.drover('project', 'add', PROJECT, '--source', source, '--branch', 'main');
    const found: { readonly machineMs: number; readonly idleMs: number }[] = [];
    for (const host of HOSTS.slice(0, added)) {
      const start = performance.now();
      await team.addHost(host);
      const machineMs = performance.now() - start;
      await team.drover('add', `on-${host}`, '--profile', 'sim', '--machine', host);
      await happenings.state(`on-${host}`, 'idle');
      found.push({ machineMs, idleMs: performance.now() - start });
    }
    return [rowOf(found)];
  } finally {
    await removePlace(place);
  }
}

function rowOf(found: readonly { readonly machineMs: number; readonly idleMs: number }[]): Row {
  const idleMs = median(found.map((one) => one.idleMs));
  const machineMs = median(found.map((one) => one.machineMs));
  return {
    what: '`drover machine add` → first idle worker',
    found: `${(idleMs / 1_000).toFixed(1)} s`,
    beside: `of it until it is a machine ${(machineMs / 1_000).toFixed(1)} s; its sshd is started and a tiny repository cloned in that time`,
    aim: '15 s besides the clone',
    met: idleMs <= AIM_MS,
  };
}
