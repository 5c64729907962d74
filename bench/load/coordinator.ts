// Runs one replica in a process of its own, as `drover server coordinator` runs it. The process tells its parent what it has used, and ends with
// its parent.
import { systemRandom } from '../../apps/coordinator/src/index.ts';
import { replica } from '../../apps/coordinator/src/testing/replica.ts';

/** Use of the replica since its start: seconds of a processor, and what it said that people should know. */
export interface Used {
  readonly cpu: number;
  readonly rssMib: number;
  readonly warnings: readonly string[];
}

const warnings: string[] = [];
const running = await replica(process.env['DATABASE_URL'] ?? '', {
  project: null,
  patrolEveryMs: 60_000,
  port: Number(process.env['LOAD_PORT'] ?? 0),
  random: systemRandom,
  log: (level, message) => {
    if ((level === 'warn' || level === 'error') && warnings.length < 20) warnings.push(message.slice(0, 200));
  },
});
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  const used: Used = {
    cpu: (user + system) / 1e6,
    rssMib: process.memoryUsage.rss() / 1024 ** 2,
    warnings: warnings.splice(0),
  };
  process.send?.(used);
});
process.on('disconnect', () => void running[Symbol.asyncDispose]());
process.send?.(running.url);
