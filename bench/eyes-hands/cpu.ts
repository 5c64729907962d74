// Measures the processor time of a process and everything below it. Linux only: it reads /proc.
import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds of one tick of the kernel's accounting; 100 ticks a second on every Linux of today. */
const TICK_MS = 10;

interface Stat {
  readonly pid: number;
  readonly parent: number;
  /** Processor time of the process and of its children that have ended. */
  readonly spent: Spent;
}

/** Processor milliseconds in programs, and in the kernel on their behalf. */
export interface Spent {
  readonly userMs: number;
  readonly systemMs: number;
}

/** Processor milliseconds so far of a process, its ended children and its living descendants. */
export function treeCpuMs(pid: number): number {
  const { userMs, systemMs } = treeCpu(pid);
  return userMs + systemMs;
}

/** The same, told apart. */
export function treeCpu(pid: number): Spent {
  const all = processes();
  const inTree = new Set([pid]);
  for (let size = 0; size !== inTree.size;) {
    size = inTree.size;
    for (const { pid: one, parent } of all) if (inTree.has(parent)) inTree.add(one);
  }
  const spents = all.filter((one) => inTree.has(one.pid)).map(({ spent }) => spent);
  const sum = (of: keyof Spent): number => spents.reduce((total, spent) => total + spent[of], 0);
  return { userMs: sum('userMs'), systemMs: sum('systemMs') };
}

/** Processor milliseconds so far of one process alone, without its children. */
export function ownCpuMs(pid: number): number {
  const fields = fieldsOf(pid);
  return fields === undefined ? 0 : (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

function processes(): readonly Stat[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const fields = fieldsOf(Number(name));
      if (fields === undefined) return [];
      const [own, system, children, childrenSystem] = fields.slice(11, 15).map(Number);
      const userMs = ((own ?? 0) + (children ?? 0)) * TICK_MS;
      const systemMs = ((system ?? 0) + (childrenSystem ?? 0)) * TICK_MS;
      return [{ pid: Number(name), parent: Number(fields[1]), spent: { userMs, systemMs } }];
    });
}

/** The fields of `/proc/PID/stat` after the program's name, which may hold anything. */
function fieldsOf(pid: number): readonly string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined; // it has ended
  }
}
