// Measures what may grow: memory and handles of processes, rows of tables, files.
import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { Client } from 'pg';
import { processesIn } from '../../fleet/left-overs.ts';
import { growthOf, HANDLES, MEMORY, PIECES, type Growth, type Limit, type Point } from './growth.ts';
import type { Targets } from './mishaps.ts';
import { weigh } from './weigh.ts';

/** Tables with a row for each thing that there is. All others are history, or follow from it, and are removed by age. */
const TABLES = ['due_work', 'workers', 'machines', 'projects', 'accounts', 'policies', 'profiles'];

/** Values that were measured, by name; each life of a process has names of its own. */
export class Sizes {
  readonly #points = new Map<string, Point[]>();
  readonly #limits = new Map<string, Limit>();

  /** Measures everything; the database is left out while it is away. */
  async take({ drover, database }: Targets): Promise<void> {
    const { site, processes } = drover;
    const pids = { coordinator: processes.coordinator.pid, agent: processes.agent.pid, database: database.pid };
    const tmux = (await processesIn([site.dir])).filter(({ command }) => /^(?:\S*\/)?tmux[: ]/u.test(command));
    for (const [name, pid] of [...Object.entries(pids), ...tmux.map((one) => ['tmux', one.pid] as const)]) {
      const weight = weigh(pid);
      if (weight === null) continue;
      this.#add(`MiB of ${name} (${pid})`, weight.mib, MEMORY);
      this.#add(`handles of ${name} (${pid})`, weight.handles, HANDLES);
    }
    const data = filesIn(site.dataDir);
    this.#add('files of data', data.filter(isBounded).length, PIECES);
    this.#add('files of run', filesIn(join(site.dir, 'run')).length, PIECES);
    const rows = await countRows(database.connectionString).catch(() => []);
    for (const [table, count] of rows) this.#add(`rows of ${table}`, count, PIECES);
  }

  /** Judges each size, of processes that of the longest life. */
  judge(): readonly (readonly [name: string, growth: Growth])[] {
    const longest = Map.groupBy(this.#points, ([name]) => name.replace(/ \(\d+\)$/u, ''));
    return [...longest].map(([name, lives]) => {
      const [life, points] = lives.reduce((one, other) => (one[1].length >= other[1].length ? one : other));
      return [name, growthOf(points, this.#limits.get(life) ?? PIECES)];
    });
  }

  #add(name: string, value: number, limit: Limit): void {
    const points = this.#points.get(name) ?? [];
    this.#points.set(name, [...points, [Date.now(), value]]);
    this.#limits.set(name, limit);
  }
}

/** Git's files of the project are history, which is packed now and then; payloads of hooks grow up to a number for each worker. */
function isBounded(file: string): boolean {
  return !file.split(sep).some((part) => /^depots$|\.payloads$/u.test(part));
}

async function countRows(url: string): Promise<readonly (readonly [table: string, count: number])[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const counts: (readonly [string, number])[] = [];
    for (const table of TABLES) {
      const { rows } = await client.query<{ count: number }>(`select count(*)::int as count from ${table}`);
      counts.push([table, rows[0]?.count ?? 0]);
    }
    return counts;
  } finally {
    await client.end();
  }
}

function filesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory, { recursive: true, encoding: 'utf8' });
  } catch {
    return []; // something in the directory was removed while it was read
  }
}
