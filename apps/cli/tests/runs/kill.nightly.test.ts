/**
 * Kills the coordinator, the machine agent or both at random moments of runs: nothing is lost, doubled or repeated. DROVER_RUN_KILLS is the number of
 * kills; DROVER_KILL_SEED replays their moments.
 */
import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunView } from '@drover/api';
import { startApart, type RunningDrover } from '../../../../tools/fleet/drover.ts';
import { seeded } from '../support/kill/random.ts';
import { moment, now, until } from '../../../../tools/fleet/wait.ts';

const KILLS = Number(process.env['DROVER_RUN_KILLS'] ?? 3);
const SEED = Number(process.env['DROVER_KILL_SEED'] ?? randomInt(1e9));
/** Kills of one run: before its question, and after the yes. */
const KILLS_EACH = 3;
/** Milliseconds for a run with its kills, on a loaded machine. */
const RUN_MS = 180_000;
/** Milliseconds after a yes in which a kill may come: a merge takes about one second. */
const MERGE_MS = 1_500;

const stack = new AsyncDisposableStack();
let drover: RunningDrover;
beforeAll(async () => {
  drover = stack.use(await startApart());
  await drover.fleet.connected();
  for (const name of ['adam', 'bea']) await drover.fleet.add(name);
  await untilIdle();
}, RUN_MS);
afterAll(() => stack.disposeAsync());

test(
  'given a change, when coordinator or machine agent is killed at any moment of it, then its work is merged once, and no stage is done twice',
  { timeout: RUN_MS * (2 + KILLS / KILLS_EACH) },
  async () => {
    const { coordinator, agent } = drover.processes;
    const random = seeded(SEED);
    const quietMs = await timeOf(() => playRun([]));
    console.log(`seed ${SEED}: ${KILLS} kills; a run takes ${Math.round(quietMs)} ms`);

    for (let kills = 0; kills < KILLS; kills += KILLS_EACH) {
      const plan = Array.from({ length: KILLS_EACH }, (_, at) => ({
        afterMs: at + 1 < KILLS_EACH ? random() * quietMs : random() * MERGE_MS,
        victims: [[coordinator], [agent], [coordinator, agent]][Math.floor(random() * 3)] ?? [],
      }));
      const isEarly = (at: number): boolean => at + 1 < KILLS_EACH;
      await playRun(plan.map(({ afterMs, victims }, at) => ({ afterMs, victims, isEarly: isEarly(at) })));
      console.log(`${kills + KILLS_EACH} kills, and every promise was kept`);
    }
  },
);

interface Kill {
  readonly afterMs: number;
  readonly victims: readonly RunningDrover['processes']['agent'][];
  /** True: after the start of the run; false: after the yes. */
  readonly isEarly: boolean;
}

/** Plays one run to its end, with kills, and checks what it has done. */
async function playRun(kills: readonly Kill[]): Promise<void> {
  const { fleet, site } = drover;
  await fleet.connected();
  const before = commitsOfMain();
  const id = await fleet.startRun('change', 'Add a flag');
  await killAll(kills.filter(({ isEarly }) => isEarly));
  await untilRun(id, ({ questions }) => questions.length > 0);
  await fleet.acceptRun(id);
  await killAll(kills.filter(({ isEarly }) => !isEarly));
  const ended = await untilRun(id, ({ endedAt }) => endedAt !== null);

  expect(ended).toMatchObject({ status: 'finished', merged: site.git(site.source, 'rev-parse', 'main').trim() });
  expect(commitsOfMain()).toBe(before + 1);
  const events = await fleet.runEvents(id);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
  const count = (kind: string): number => events.filter((event) => event.kind === kind).length;
  expect([count('placed'), count('task-ended'), count('accepted')]).toEqual([2, 2, 1]);
  await untilIdle();
}

async function killAll(kills: readonly Kill[]): Promise<void> {
  const began = now();
  for (const { afterMs, victims } of kills.toSorted((one, other) => one.afterMs - other.afterMs)) {
    await moment(began + afterMs);
    await Promise.all(victims.map((victim) => victim.kill()));
    for (const victim of victims) victim.start();
    await Promise.all(victims.map((victim) => victim.ready()));
  }
}

function commitsOfMain(): number {
  return Number(drover.site.git(drover.site.source, 'rev-list', '--count', 'main'));
}

async function untilRun(id: string, is: (run: RunView) => boolean): Promise<RunView> {
  let last: RunView | undefined;
  const ask = async (): Promise<RunView | undefined> => {
    last = await drover.fleet.run(id);
    return is(last) ? last : undefined;
  };
  return until(() => tellRun(id, last), ask, RUN_MS);
}

async function tellRun(id: string, last: RunView | undefined): Promise<string> {
  const events = await drover.fleet.runEvents(id);
  const lines = events.map(({ seq, kind, lines: said }) => `${seq} ${kind}: ${said.join('; ')}`);
  return `run ${id}, seed ${SEED}; it is ${JSON.stringify(last)}\n${lines.join('\n')}`;
}

function untilIdle(): Promise<void> {
  return drover.fleet.reach(['adam', 'bea'], { status: 'idle', never: ['error'], withinMs: RUN_MS });
}

async function timeOf(play: () => Promise<void>): Promise<number> {
  const began = now();
  await play();
  return now() - began;
}
