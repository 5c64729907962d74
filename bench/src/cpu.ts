// Measures the processor time of a process and everything below it. Linux only: it reads /proc.
import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds of one tick of the kernel's accounting; 100 ticks a second on every Linux of today. */
const TICK_MS = 10;

interface Stat {
  readonly pid: number;
  readonly parent: number;
  /** Processor milliseconds of the process and of its children that have ended. */
  readonly spentMs: number;
}

/** Processor milliseconds so far of a process, its ended children and its living descendants. */
export function treeCpuMs(pid: number): number {
  const all = processes();
  const inTree = new Set([pid]);
  for (let size = 0; size !== inTree.size;) {
    size = inTree.size;
    for (const { pid: one, parent } of all) if (inTree.has(parent)) inTree.add(one);
  }
  return all.filter((one) => inTree.has(one.pid)).reduce((sum, { spentMs }) => sum + spentMs, 0);
}

/** Processor milliseconds so far of one process alone, without its children. */
export function ownCpuMs(pid: number): number {
  const fields = fieldsOf(pid);
  return fields === undefined ? 0 : sumOf(fields.slice(11, 13)) * TICK_MS;
}

function processes(): readonly Stat[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const fields = fieldsOf(Number(name));
      if (fields === undefined) return [];
      return [{ pid: Number(name), parent: Number(fields[1]), spentMs: sumOf(fields.slice(11, 15)) * TICK_MS }];
    });
}

function sumOf(fields: readonly string[]): number {
  return fields.reduce((sum, field) => sum + Number(field), 0);
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
