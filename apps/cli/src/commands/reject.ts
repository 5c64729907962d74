/** `drover reject`: feedback on work that waits for review. */
import { ask } from '../client.ts';
import { optional, text } from '../options.ts';
import { workerLine } from '../output/workers.ts';
import type { Surroundings } from '../surroundings.ts';
import { readText } from '../texts.ts';

/** Runs the command. @throws {CommandError} */
export async function run(
  surroundings: Surroundings,
  words: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { terminal, cwd } = surroundings;
  const { name, rest } = await whose(surroundings, words, text(options, 'worker'));
  const given = rest.length === 0 ? undefined : rest.join(' ');
  const feedback = await readText({
    text: given,
    file: text(options, 'file'),
    cwd,
    what: 'feedback',
    given: 'writing it after the worker',
    option: '--file',
  });
  const input = { orderId: surroundings.uuid(), text: feedback, ...optional('name', name) };
  const { worker } = await ask(surroundings, (client) => client.workers.reject.mutate(input));
  terminal.out(terminal.json ? JSON.stringify(worker) : workerLine(worker, terminal));
}

/** The first word is a worker if there is one of that name; otherwise it belongs to the feedback. */
async function whose(
  surroundings: Surroundings,
  words: readonly string[],
  named: string | undefined,
): Promise<{ name: string | undefined; rest: readonly string[] }> {
  const [first, ...rest] = words;
  if (named !== undefined || first === undefined || /\s/.test(first)) return { name: named, rest: words };
  const workers = await ask(surroundings, (client) => client.workers.list.query());
  return workers.some(({ name }) => name === first) ? { name: first, rest } : { name: undefined, rest: words };
}
