// Measures everything: memory and handles of processes, rows of tables, files and bytes on disk.
import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { connect } from '@drover/store';
import { z } from 'zod';
import { addLine, linesOf } from './files.ts';
import { growthOf, stockOf, type Growth, type Point, type Stock, type Weight } from './leaks.ts';
import { processesOf, weigh } from './parts.ts';
import type { Place } from './place.ts';

/** Sample of all sizes. `at` is epoch milliseconds; `ranMs` counts only the time in which the soak ran. */
const sample = z.object({
  at: z.number(),
  ranMs: z.number(),
  /** Processes by name and process id. */
  processes: z.record(z.string(), z.object({ bytes: z.number(), handles: z.number() })),
  /** Rows, files or bytes, by name; absent when only processes were weighed. */
  stocks: z.record(z.string(), z.number()).optional(),
});
export type Sample = z.infer<typeof sample>;

/** Tables with a row for each thing that there is. All others are history, or follow from it, and are removed by age. */
const BOUNDED = [
  ...['due_work', 'workers', 'machines', 'projects', 'accounts', 'policies', 'profiles'].map(
    (table) => `rows ${table}`,
  ),
  ...['run', 'data'].map((directory) => `files ${directory}`),
];
/** Processes that live as long as they can. */
const LONG_LIVED = ['agent', 'coordinator', 'database', 'tmux'] as const;

/** Weighs the processes. */
export function weights(
  place: Place,
  pids: Readonly<Record<'agent' | 'coordinator' | 'database', number>>,
): Sample['processes'] {
  const named = [...Object.entries(pids), ...processesOf(place, 'tmux').map(({ pid }) => ['tmux', pid] as const)];
  const found = named.flatMap(([name, pid]) => {
    const weight = weigh(pid);
    return weight === null ? [] : [[`${name} (${pid})`, weight] as const];
  });
  return Object.fromEntries(found);
}

/** Counts rows, files and bytes. @throws when the database does not answer. */
export async function stocks({ disks, root, source }: Place, databaseUrl: string): Promise<Record<string, number>> {
  const machine = disks.machine.directory;
  const data = filesIn(join(machine, 'data'));
  // Files that git keeps of the project: history, which is packed now and then.
  const depots = data.filter((path) => path.split(sep).includes('depots'));
  const counts = {
    run: filesIn(join(machine, 'run')).length,
    data: data.length - depots.length,
    depots: depots.length,
    root: filesIn(root).length,
    source: filesIn(source).length,
  };
  const files = Object.entries(counts).map(([name, count]) => [`files ${name}`, count] as const);
  const bytes = Object.values(disks).flatMap((disk) => {
    const used = disk.usedBytes();
    return used === null ? [] : [[`bytes ${disk.name}`, used] as const];
  });
  return Object.fromEntries([...(await rows(databaseUrl)), ...files, ...bytes]);
}

async function rows(databaseUrl: string): Promise<readonly (readonly [string, number])[]> {
  await using connection = connect(databaseUrl, { log: () => {}, maxConnections: 1 });
  const { pool } = connection;
  const tables = await pool.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' order by 1",
  );
  const counts: (readonly [string, number])[] = [];
  for (const { name } of tables.rows) {
    const counted = await pool.query<{ count: string }>(`select count(*)::text as count from "${name}"`);
    counts.push([`rows ${name}`, Number(counted.rows[0]?.count ?? 0)]);
  }
  return counts;
}

function filesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory, { recursive: true, encoding: 'utf8' });
  } catch {
    return []; // something in the directory was removed while it was read
  }
}

/** Writes a look down. */
export function keep({ sizes }: Place, what: Sample): void {
  addLine(sizes, what);
}

/** Judges all samples of all runs: the longest life of each process, and every stock. */
export function judged({ sizes }: Place): { readonly processes: readonly Growth[]; readonly stocks: readonly Stock[] } {
  const processes = new Map<string, Weight[]>();
  const kept = new Map<string, Point[]>();
  for (const { at, ranMs, processes: seen, stocks: counted = {} } of linesOf(sizes, sample)) {
    for (const [name, weight] of Object.entries(seen)) put(processes, name, { at, ...weight });
    for (const [name, value] of Object.entries(counted)) put(kept, name, [ranMs, value] as const);
  }
  const growth = [...processes].map(([name, lifetime]) => growthOf(name, lifetime));
  const longest = LONG_LIVED.flatMap((name) =>
    growth
      .filter((each) => each.name.startsWith(name))
      .toSorted((one, other) => other.livedMs - one.livedMs)
      .slice(0, 1),
  );
  const all = [...kept].map(([name, points]) => stockOf(name, points, !BOUNDED.includes(name)));
  return { processes: longest, stocks: all };
}

function put<T>(map: Map<string, T[]>, name: string, value: T): void {
  const found = map.get(name);
  if (found === undefined) map.set(name, [value]);
  else found.push(value);
}
