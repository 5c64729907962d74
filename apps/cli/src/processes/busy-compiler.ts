/** Lets V8 compile in a process that works much: `bin/drover` starts it without, so that it stays small (docs/adr/0027-one-package-and-small-processes.md). */
import v8 from 'node:v8';
import { systemAlarm, systemNow } from '../system-clock.ts';

const MEASURED_EVERY_MS = 60_000;
/** Share of one processor at which compiled code is worth its memory: about a hundred moving panes. */
const BUSY_SHARE = 0.5;

interface Ports {
  readonly now: () => number;
  /** Returns milliseconds of a processor since the start of the process. */
  readonly usedMs: () => number;
  readonly alarm: (ms: number, run: () => void) => void;
  readonly compile: () => void;
}

const SYSTEM: Ports = {
  now: systemNow,
  usedMs: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
  alarm: systemAlarm,
  compile: () => v8.setFlagsFromString('--opt'),
};

/** Measures once a minute. After the first busy minute V8 compiles for good, and measuring ends. */
export function compileWhenBusy(ports: Ports = SYSTEM): void {
  const [since, usedBefore] = [ports.now(), ports.usedMs()];
  ports.alarm(MEASURED_EVERY_MS, () => {
    const share = (ports.usedMs() - usedBefore) / Math.max(MEASURED_EVERY_MS, ports.now() - since);
    if (share >= BUSY_SHARE) ports.compile();
    else compileWhenBusy(ports);
  });
}
