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

/** Processes that are judged together, in MiB by name; of pages that several share, each has its part. */
export const TOGETHER = 'all together, shared pages once';

/** Weighs `drover up` with the processes that it keeps (its starter, its clients of tmux), but without Postgres and programs of a moment. */
export function weighUp(pid: number): ReadonlyMap<string, number> {
  const weights = new Map([[TOGETHER, 0]]);
  const add = (name: string, mib: number): void => void weights.set(name, (weights.get(name) ?? 0) + mib);
  for (const { id, name } of keptBy(pid)) {
    const resident = weigh(id)?.mib;
    const own = proportional(id);
    if (resident === undefined || own === null) continue;
    add(id === pid ? 'drover up' : name, resident);
    add(TOGETHER, own);
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

/** @returns null when the process has ended. */
function proportional(pid: number): number | null {
  try {
    return mibOf('Pss', readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'));
  } catch {
    return null;
  }
}

function mibOf(field: string, text: string): number | null {
  const [, kib] = new RegExp(String.raw`^${field}:\s+(\d+) kB`, 'mu').exec(text) ?? [];
  return kib === undefined ? null : Number(kib) / KIB_IN_MIB;
}
