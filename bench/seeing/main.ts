// Measures how soon Drover sees what panes show and which programs ended, and what looking costs.
//
// npm run bench -- seeing [--smoke] [--set only=PART] [--set panes=N] [--set seeMs=N] [--set deaths=N] [--set storedMs=N]
import type { Benchmark } from '../src/benchmark.ts';
import { measureParts, planOf } from '../src/figures.ts';
import { AnimatedPanes } from './animated-panes.ts';
import { measureClassify } from './classify.ts';
import { measureDeaths } from './deaths.ts';
import { measureSeeing } from './seeing.ts';
import { measureStored } from './stored.ts';

const FULL = { rounds: 5, panes: 200, seeMs: 20_000, deaths: 100, storedPanes: 200, storedMs: 40_000 };
/** A few rounds of everything, to see that it still runs: its figures mean little. */
const SMOKE = { rounds: 0, panes: 10, seeMs: 3_000, deaths: 3, storedPanes: 2, storedMs: 8_000 };

/** The whole table, or with `--set only=PART` a part of it. */
export const benchmark: Benchmark = {
  about: 'seeing: a change on a screen until it is stored, the death of a program, and what looking costs',
  run: (choice) => {
    const { rounds, panes, seeMs, deaths, storedPanes, storedMs } = planOf(choice.smoke ? SMOKE : FULL, choice);
    return measureParts(
      {
        classify: () => Promise.resolve(measureClassify({ rounds })),
        panes: async () => {
          await using animated = await AnimatedPanes.start(panes);
          return [
            ...(await measureSeeing(animated, { forMs: seeMs })),
            ...(await measureDeaths(animated, { deaths: Math.min(deaths, panes) })),
          ];
        },
        stored: () => measureStored({ count: Math.min(panes, storedPanes), forMs: storedMs }),
      },
      choice,
    );
  },
};
