// Measures the whole table by one command: how well Drover sees and speaks, beside the peers' methods in the same run.
//
// npm run bench -- eyes-hands [--smoke] [--set only=PART] [--set sends=N] [--set panes=N] [--set load=N] [--set timings=N]
import { cpus, loadavg } from 'node:os';
import type { Benchmark } from '../src/benchmark.ts';
import { AnimatedPanes } from './seeing/animated-panes.ts';
import { measureClassify } from './seeing/classify.ts';
import { measureClaude } from './typing/claude-delivery.ts';
import { measureDeaths } from './seeing/deaths.ts';
import { measureDelivery } from './typing/delivery.ts';
import type { Figure } from './figures.ts';
import { measureSeeing, measureSeeingFew } from './seeing/seeing.ts';
import { measureStored } from './seeing/stored.ts';

interface Plan {
  readonly rounds: number;
  readonly panes: number;
  /** Panes so few that the peer method can keep its pace on two processors. */
  readonly fewPanes: number;
  readonly seeMs: number;
  readonly deaths: number;
  readonly storedPanes: number;
  readonly storedMs: number;
  readonly sends: number;
  readonly peerSends: number;
  readonly receivers: number;
  readonly load: number;
  readonly timings: number;
  /** Texts for the real Claude Code, and its panes; each takes some 300 MB. */
  readonly claudeSends: number;
  readonly claudePanes: number;
}

const FULL: Plan = {
  rounds: 5,
  panes: 200,
  fewPanes: 100,
  seeMs: 20_000,
  deaths: 100,
  storedPanes: 200,
  storedMs: 40_000,
  sends: 2_000,
  peerSends: 60,
  receivers: 20,
  load: 2,
  timings: 15,
  claudeSends: 2_000,
  claudePanes: 20,
};

/** A few rounds of everything, to see that it still runs: its figures mean little. */
const SMOKE: Plan = {
  rounds: 0,
  panes: 10,
  fewPanes: 5,
  seeMs: 3_000,
  deaths: 3,
  storedPanes: 2,
  storedMs: 8_000,
  sends: 6,
  peerSends: 2,
  receivers: 2,
  load: 0,
  timings: 1,
  claudeSends: 0,
  claudePanes: 1,
};

const PARTS: Readonly<Record<string, (plan: Plan) => Promise<readonly Figure[]>>> = {
  classify: ({ rounds }) => Promise.resolve(measureClassify({ rounds })),
  panes: async ({ panes, seeMs, deaths }) => {
    await using animated = await AnimatedPanes.start(panes);
    return [
      ...(await measureSeeing(animated, { forMs: seeMs })),
      ...(await measureDeaths(animated, { deaths: Math.min(deaths, panes) })),
    ];
  },
  few: async ({ fewPanes, seeMs }) => {
    await using animated = await AnimatedPanes.start(fewPanes);
    return await measureSeeingFew(animated, { forMs: seeMs });
  },
  stored: ({ storedPanes, storedMs }) => measureStored({ count: storedPanes, forMs: storedMs }),
  delivery: ({ receivers, ...plan }) => measureDelivery({ ...plan, panes: receivers }),
  claude: ({ claudeSends, claudePanes, load }) => measureClaude({ sends: claudeSends, panes: claudePanes, load }),
};

/** Names that `--set NAME=VALUE` may set, beside `only=PART`. */
const SETTINGS = [
  'sends',
  'panes',
  'fewPanes',
  'load',
  'timings',
  'seeMs',
  'deaths',
  'storedMs',
  'claudeSends',
  'claudePanes',
] as const;

/** The whole table, or with `--set only=PART` a part of it. */
export const benchmark: Benchmark = {
  about: 'seeing, speaking and knowing of deaths, beside the methods of others in the same run',
  async run({ smoke, settings }) {
    const plan = planOf(smoke ? SMOKE : FULL, settings);
    const parts = settings['only'] === undefined ? Object.keys(PARTS) : [settings['only']];
    const figures: Figure[] = [];
    for (const part of parts) {
      const measure = PARTS[part];
      if (measure === undefined)
        throw new Error(`There is no part "${part}": there are ${Object.keys(PARTS).join(', ')}`);
      const startedAt = performance.now();
      figures.push(...(await measure(plan)));
      console.error(`  ${part}: ${((performance.now() - startedAt) / 1_000).toFixed(0)} s, load ${load()}`);
    }
    print(figures);
    // A few rounds on a machine that does other things say only that everything still runs.
    return smoke || figures.every(({ met }) => met !== false);
  },
};

function planOf(base: Plan, settings: Readonly<Record<string, string>>): Plan {
  const given = SETTINGS.flatMap((name) => (settings[name] === undefined ? [] : [[name, Number(settings[name])]]));
  const plan: Plan = { ...base, ...Object.fromEntries(given) };
  return { ...plan, storedPanes: Math.min(plan.panes, base.storedPanes) };
}

function print(lines: readonly Figure[]): void {
  console.log(`${cpus().length} processors (${cpus()[0]?.model ?? 'unknown'}), load ${load()} (1, 5, 15 minutes)\n`);
  console.log('| what | Drover | the named peer method | aim | met |');
  console.log('| --- | --- | --- | --- | --- |');
  for (const { what, drover, peer, aim, met } of lines) {
    console.log(`| ${what.trim()} | ${drover} | ${peer} | ${aim} | ${met === null ? '' : met ? 'yes' : '**no**'} |`);
  }
}

function load(): string {
  return loadavg()
    .map((one) => one.toFixed(1))
    .join(', ');
}
