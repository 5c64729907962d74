// Runs benchmarks by name: `npm run bench -- NAME…`, all with `--all`, quickly with `--smoke`.
import { parseArgs } from 'node:util';
import type { Benchmark } from './src/benchmark.ts';

/** Each is a file of its name, loaded when it is called. A new one gets a line here. */
const BENCHMARKS: Readonly<Record<string, () => Promise<{ readonly benchmark: Benchmark }>>> = {
  status: () => import('./status.ts'),
  hook: () => import('./hook.ts'),
  seeing: () => import('./seeing/main.ts'),
  recovery: () => import('./recovery/main.ts'),
  channels: () => import('./channels.ts'),
  chat: () => import('./chat.ts'),
  runs: () => import('./runs.ts'),
  load: () => import('./load/main.ts'),
  dashboard: () => import('./dashboard/main.ts'),
};

const { values, positionals } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    smoke: { type: 'boolean', default: false },
    set: { type: 'string', multiple: true, default: [] },
  },
  allowPositionals: true,
});
const names = values.all ? Object.keys(BENCHMARKS) : positionals;
const settings = Object.fromEntries(values.set.map((one) => one.split('=', 2) as [string, string]));
const unknown = names.filter((name) => !(name in BENCHMARKS));

if (names.length === 0 || unknown.length > 0) {
  if (unknown.length > 0) console.error(`There is no benchmark ${unknown.join(', ')}.`);
  console.error('Usage: npm run bench -- NAME… | --all [--smoke] [--set NAME=VALUE]…\n');
  for (const [name, load] of Object.entries(BENCHMARKS)) console.error(`  ${name}: ${(await load()).benchmark.about}`);
  process.exitCode = 2;
} else {
  for (const name of names) {
    const loaded = await BENCHMARKS[name]?.();
    if (loaded === undefined) continue;
    console.log(`\n${name}: ${loaded.benchmark.about}`);
    if (await loaded.benchmark.run({ smoke: values.smoke, settings })) continue;
    console.error(`${name}: outside of its limit`);
    process.exitCode = 1;
  }
}
