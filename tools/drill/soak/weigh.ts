// Weighs processes: memory and handles, as Linux tells them.
import { readdirSync, readFileSync } from 'node:fs';

const KIB_IN_MIB = 1_024;

/** @returns null when the process has ended. */
export function weigh(pid: number): { readonly mib: number; readonly handles: number } | null {
  try {
    const mib = mibOf('VmRSS', readFileSync(`/proc/${pid}/status`, 'utf8'));
    return mib === null ? null : { mib, handles: readdirSync(`/proc/${pid}/fd`).length };
  } catch {
    return null;
  }
}

/** Name of the sum that is judged. */
export const TOGETHER = 'all together';

/**
 * Weighs `drover up` with the processes that it keeps (its starter, its clients of tmux), but without Postgres and programs of a moment. In the
 * sum the program's own text, which they share, counts once.
 *
 * @returns MiB by name.
 */
export function weighUp(pid: number): ReadonlyMap<string, number> {
  const weights = new Map([[TOGETHER, 0]]);
  const add = (name: string, mib: number): void => void weights.set(name, (weights.get(name) ?? 0) + mib);
  for (const { id, name } of keptBy(pid)) {
    const memory = memoryOf(id);
    if (memory === null) continue;
    add(name, memory.resident);
    add(TOGETHER, id === pid ? memory.resident : memory.own);
  }
  return weights;
}

interface Kept {
  readonly id: number;
  readonly name: string;
}

/** Lists a process and, of those below it, the ones that stay. */
function keptBy(pid: number): readonly Kept[] {
  const children = Map.groupBy(processes(), ({ parent }) => parent);
  const below = (parent: number): readonly Kept[] =>
    (children.get(parent) ?? []).flatMap(({ id, words }) => {
      const name = words.startsWith('fleet-starter')
        ? 'starter'
        : /^(?:\S*\/)?tmux /u.test(words)
          ? 'clients of tmux'
          : null;
      return name === null ? [] : [{ id, name }];
    });
  return [{ id: pid, name: 'drover up' }, ...below(pid)];
}

function processes(): readonly { readonly id: number; readonly parent: number; readonly words: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
        const [, parent = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return [{ id: Number(name), parent: Number(parent), words }];
      } catch {
        return []; // it has ended
      }
    });
}

/** Memory in MiB: all, and what no other process has. @returns null when the process has ended. */
function memoryOf(pid: number): { readonly resident: number; readonly own: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    const [resident = 0, ...own] = ['Rss', 'Private_Clean', 'Private_Dirty'].map((field) => mibOf(field, text) ?? 0);
    return { resident, own: own.reduce((sum, mib) => sum + mib, 0) };
  } catch {
    return null;
  }
}

function mibOf(field: string, text: string): number | null {
  const [, kib] = new RegExp(String.raw`^${field}:\s+(\d+) kB`, 'mu').exec(text) ?? [];
  return kib === undefined ? null : Number(kib) / KIB_IN_MIB;
}
