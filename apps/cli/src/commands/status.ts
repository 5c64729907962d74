/** `drover status`: all workers, once or live. */
import type { WorkerView } from '@drover/api';
import { ask } from '../client.ts';
import { flag } from '../options.ts';
import { statusText } from '../output/workers.ts';
import type { Surroundings } from '../surroundings.ts';

/** Without news the page is drawn again this often, in milliseconds. */
const REDRAW_MS = 5_000;

/** Runs the command. @throws {CommandError} */
export async function run(
  surroundings: Surroundings,
  _args: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  print(surroundings, await list(surroundings));
  if (flag(options, 'watch')) await watch(surroundings);
}

function list(surroundings: Surroundings): Promise<readonly WorkerView[]> {
  return ask(surroundings, (client) => client.workers.list.query());
}

function print({ terminal, now }: Surroundings, workers: readonly WorkerView[]): void {
  terminal.out(terminal.json ? JSON.stringify(workers) : statusText(workers, { now: now(), terminal }));
}

/** Redraws on a terminal; elsewhere a new list is printed whenever something happened. */
async function watch(surroundings: Surroundings): Promise<void> {
  const { terminal } = surroundings;
  let after = (await ask(surroundings, (client) => client.events.query({ waitMs: 0, limit: 1 })))[0]?.id ?? 0;
  for (;;) {
    const input = { after, waitMs: REDRAW_MS, limit: 500 };
    const events = await ask(surroundings, (client) => client.events.query(input));
    after = events.at(-1)?.id ?? after;
    if (events.length === 0 && !terminal.interactive) continue;
    if (terminal.interactive) terminal.raw('\u001b[H\u001b[2J');
    print(surroundings, await list(surroundings));
  }
}
