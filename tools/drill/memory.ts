// Measures the memory of the packaged `drover up` while agents work: of each of its processes but Postgres, over one life.
import { execFileSync, type ExecFileSyncOptions } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startTogether } from '../fleet/drover.ts';
import { REPOSITORY } from '../fleet/program.ts';
import type { Findings } from './findings.ts';
import { growthOf, type Limit, type Point } from './soak/growth.ts';
import { TOGETHER, weighUp } from './soak/weigh.ts';
import { Shift, work } from './soak/work.ts';

export interface MemoryOptions {
  readonly totalMs: number;
  readonly workers: number;
  /** Milliseconds for which a worker rests between two tasks. */
  readonly restMs: number;
  readonly print: (text: string) => void;
}

const MEASURE_EVERY_MS = 10_000;
const PRINT_EVERY = 30;
/** Aim for all processes together, in MiB. */
const TOGETHER_MAX_MIB = 150;
/** Growth in MiB an hour that is none: with more, a process would be a GiB larger after a month. */
const FLAT: Limit = { warmUpMs: 10 * 60_000, livedMinMs: 45 * 60_000, perHourMax: 1.5 };
/** Tasks that ten people's agents do in eight hours: one each ten minutes. */
const TASKS_OF_A_DAY = 480;

/** Builds the package, installs it, and runs it until the time is over or a person stops it. */
export async function measureMemory(options: MemoryOptions, stop: AbortSignal): Promise<Findings> {
  const place = mkdtempSync(join(tmpdir(), 'dmem-'));
  try {
    return await measure(install(place), options, stop);
  } finally {
    rmSync(place, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

/** Installs the package as people do, but from no registry. @returns the command that people type. */
function install(place: string): string {
  const [prefix, cache] = [join(place, 'prefix'), join(place, 'cache')];
  for (const directory of [prefix, cache]) mkdirSync(directory);
  const options: ExecFileSyncOptions = { cwd: REPOSITORY, stdio: ['ignore', 'ignore', 'inherit'] };
  execFileSync(process.execPath, ['tools/package/main.ts', place], options);
  const from = ['--cache', cache, '--registry', 'http://127.0.0.1:9', '--loglevel=error'];
  const packages = globSync(join(place, 'drover-*.tgz'));
  execFileSync('npm', ['install', '--global', '--prefix', prefix, ...from, ...packages], options);
  return join(prefix, 'bin/drover');
}

/** @param drover The command that is measured. */
export async function measure(
  drover: string,
  { totalMs, workers, restMs, print, env = {} }: MemoryOptions & { readonly env?: Readonly<Record<string, string>> },
  stop: AbortSignal,
): Promise<Findings> {
  await using up = await startTogether({
    program: [drover],
    env: { DROVER_LOG: 'info', ...env },
    site: { toml: '[queue]\ntake = false\n' },
  });
  const ending = AbortSignal.any([stop, AbortSignal.timeout(totalMs)]);
  const shift = new Shift(up, ending, restMs);
  const sizes = new Map<string, Point[]>();
  const { pid } = up.processes.coordinator;
  const weighing = (async (): Promise<void> => {
    for (let times = 0; !ending.aborted; times += 1) {
      up.processes.coordinator.expectAlive();
      const weights = weighUp(pid);
      for (const [name, mib] of weights) sizes.set(name, [...(sizes.get(name) ?? []), [Date.now(), mib]]);
      const now = [...weights].map(([name, mib]) => `${name} ${mib.toFixed(1)}`).join(', ');
      if (times % PRINT_EVERY === 0)
        print(`${new Date().toISOString()} ${shift.ended.length} of ${shift.given} tasks; MiB: ${now}`);
      await delay(MEASURE_EVERY_MS, undefined, { signal: ending }).catch(() => {});
    }
  })();
  await Promise.all([weighing, ...Array.from({ length: workers }, (_, index) => work(shift, `w${index + 1}`))]);
  const counts = shift.counts();
  const grown = [...sizes].map(([name, points]) => ({
    name,
    most: Math.max(...points.map(([, mib]) => mib)),
    ...growthOf(points, FLAT),
  }));
  const together = grown.find(({ name }) => name === TOGETHER);
  return {
    lines: [
      `${counts.done} of ${shift.given} tasks done, ${((counts.done / TASKS_OF_A_DAY) * 100).toFixed(0)} % of those of ten workers in eight hours`,
      ...grown.map(
        ({ name, last, most, perHour, error }) =>
          `MiB of ${name}: ${last.toFixed(1)} at the end, ${most.toFixed(1)} at most, grows by ${perHour.toFixed(2)} ± ${error.toFixed(2)} an hour`,
      ),
    ],
    problems: [
      ...counts.problems,
      ...grown.filter(({ leaks }) => leaks === true).map(({ name }) => `it grows and should not: MiB of ${name}`),
      ...((together?.most ?? 0) > TOGETHER_MAX_MIB ? [`all together had more than ${TOGETHER_MAX_MIB} MiB`] : []),
    ],
  };
}
