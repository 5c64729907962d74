/** `drover logs`: what happened to a worker, or what its terminal shows. */
import { ask } from '../../client/client.ts';
import { count, flag } from '../../program/options.ts';
import { eventText } from './text.ts';
import type { Surroundings } from '../../surroundings.ts';

/** Lines of the terminal that `--pane` shows at most. */
const PANE_LINES = 2_000;
/** How long one request waits for news, in milliseconds. */
const WAIT_MS = 20_000;

/** Runs the command. @throws {CommandError} */
export async function run(
  surroundings: Surroundings,
  [name = '']: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { terminal } = surroundings;
  if (flag(options, 'pane')) {
    const { text } = await ask(surroundings, (client) => client.workers.pane.query({ name, lines: PANE_LINES }));
    terminal.out(terminal.json ? JSON.stringify({ text }) : text);
    return;
  }
  const limit = count(options, 'limit', { min: 1, max: 500 }) ?? 50;
  const newest = await ask(surroundings, (client) => client.events.query({ name, waitMs: 0, limit }));
  const events = newest.toReversed();
  const print = (event: (typeof events)[number]): void =>
    terminal.out(terminal.json ? JSON.stringify(event) : eventText(event, { terminal, named: false }));
  for (const event of events) print(event);
  let after = events.at(-1)?.id ?? 0;
  while (flag(options, 'follow')) {
    const input = { name, after, waitMs: WAIT_MS, limit: 500 };
    for (const event of await ask(surroundings, (client) => client.events.query(input))) {
      print(event);
      after = event.id;
    }
  }
}
