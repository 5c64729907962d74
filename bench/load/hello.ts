// Measures what it costs that a machine connects: challenge, hello, WebSocket and first sync.
import type { BenchPostgres } from '../src/postgres.ts';
import { table } from '../src/table.ts';
import { tellTop } from './curve.ts';
import { LoadRun } from './run.ts';

/** Milliseconds between two hellos: one after the other, so that none waits for another. */
const APART_MS = 40;

/** Prints a line for each size of the fleet. */
export async function measureHello(
  postgres: BenchPostgres,
  { sizes, top }: { readonly sizes: readonly number[]; readonly top: number },
): Promise<string> {
  const rows: string[][] = [];
  for (const machines of sizes) {
    const size = { machines, workersEach: 10, oneOf: 10 };
    const name = `hello_${machines}`;
    await using run = await LoadRun.start(postgres, { size, name, withinMs: machines * APART_MS, progressMs: 5_000 });
    const phase = await run.phase(() => run.connected(machines));
    tellTop(`${machines} machines that connect`, phase, top);
    rows.push([
      String(machines),
      ((phase.coordinatorCpu / machines) * 1_000).toFixed(1),
      ((phase.databaseCpu / machines) * 1_000).toFixed(1),
      (phase.statements / machines).toFixed(1),
    ]);
  }
  return table(['machines', 'coordinator, ms each', 'database, ms each', 'statements each'], rows);
}
