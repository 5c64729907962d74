// Runs benchmarks by name: `npm run bench -- NAME…`, all with `--all`, quickly with `--smoke`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempDisposableSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Benchmark } from './src/benchmark.ts';

/** Each is a file of its name, loaded when it is called. A new one gets a line here; the longest come first. */
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

/** Benchmarks of which a smoke run judges what a busy machine changes: nothing else runs meanwhile. */
const JUDGED: readonly string[] = ['status', 'hook'];
/** All others of a smoke run only show that they still work, and mostly wait. So many run at once. */
const AT_ONCE = 4;

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
  const together = values.smoke ? names.filter((name) => !JUDGED.includes(name)) : [];
  const isApart = together.length > 1;
  for (const name of isApart ? names.filter((one) => !together.includes(one)) : names) await run(name);
  const waiting = together.values();
  const next = async (): Promise<void> => {
    for (const name of waiting) await runApart(name);
  };
  if (isApart) await Promise.all(Array.from({ length: AT_ONCE }, next));
}

async function run(name: string): Promise<void> {
  const loaded = await BENCHMARKS[name]?.();
  if (loaded === undefined) return;
  console.log(`\n${name}: ${loaded.benchmark.about}`);
  const startedAt = performance.now();
  const isKept = await loaded.benchmark.run({ smoke: values.smoke, settings });
  console.log(`${name}: ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
  if (isKept) return;
  console.error(`${name}: outside of its limit`);
  process.exitCode = 1;
}

/** Makes a smoke run in a process of its own, and prints its output when it has ended. */
async function runApart(name: string): Promise<void> {
  using directory = mkdtempDisposableSync(path.join(tmpdir(), 'drover-bench-'));
  const output = path.join(directory.path, 'output');
  const file = openSync(output, 'w');
  const set = values.set.flatMap((one) => ['--set', one]);
  const child = spawn(process.execPath, [...process.execArgv, import.meta.filename, name, '--smoke', ...set], {
    stdio: ['ignore', file, file],
  });
  const [status] = (await once(child, 'exit')) as [number | null];
  closeSync(file);
  process.stdout.write(readFileSync(output));
  if (status === 0) return;
  console.error(`${name}: failed`);
  process.exitCode = 1;
}
