// Checks that the promises are kept when the state is in a real Postgres. `npm run sim -- --sql` runs as many schedules as you like.
import { expect, test } from 'vitest';
import { runSchedule } from './schedule.ts';
import { addAll } from './runs/tally.ts';
import type { Counts } from './runs/tally.ts';
import { SqlWorlds } from './coordinator/world.ts';

/** Seeds; the server is restarted in the third, and the last two play runs. */
const SEEDS = [1, 2, 3, 4, 5];
const RUNS_FROM = 4;
/** Milliseconds for all of them on a machine that does much else: alone they take a few seconds. */
const WITHIN_MS = 300_000;

test(
  'given schedules over a real Postgres whose connections are killed and which is restarted, when the faults end, then every promise was kept',
  async () => {
    await using worlds = new SqlWorlds();
    const faults: Counts = new Map();
    const broken: string[] = [];

    for (const seed of SEEDS) {
      const { violation, faults: met } = await runSchedule(seed, {
        keepLines: false,
        open: worlds.open,
        runs: seed >= RUNS_FROM,
      });
      if (violation !== null)
        broken.push(`npm run sim -- --sql ${seed >= RUNS_FROM ? '--runs ' : ''}--trace ${seed}   # ${violation}`);
      addAll(faults, met);
    }

    expect(broken).toEqual([]);
    expect([...faults.keys()]).toEqual(expect.arrayContaining(['store-connection-lost', 'database-restart']));
  },
  WITHIN_MS,
);
