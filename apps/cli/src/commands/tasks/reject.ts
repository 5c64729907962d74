/** `drover reject`: feedback on work that waits for review. */
import { ask } from '../../client/client.ts';
import { optional, text } from '../../program/options.ts';
import { workerLine } from '../workers/text.ts';
import type { Surroundings } from '../../surroundings.ts';
import { readText } from '../../terminal/texts.ts';
import { listWorkers } from '../workers/by-name.ts';

/** Runs the command. @throws {CommandError} */
export async function run(
  surroundings: Surroundings,
  words: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { terminal, cwd } = surroundings;
  const file = text(options, 'file');
  const { name, feedback } = await whose(surroundings, words, file !== undefined);
  const source = {
    text: feedback,
    file,
    cwd,
    what: 'feedback',
    given: 'writing it after the worker',
    option: '--file',
  };
  const input = { orderId: surroundings.uuid(), text: await readText(source), ...optional('name', name) };
  const { worker } = await ask(surroundings, (client) => client.workers.reject.mutate(input));
  terminal.out(terminal.json ? JSON.stringify(worker) : workerLine(worker, terminal));
}

interface Whose {
  readonly name: string | undefined;
  readonly feedback: string | undefined;
}

/** Two words are a worker and the feedback. One is the worker if there is one of that name, or the feedback is in a file. */
async function whose(surroundings: Surroundings, [first, second]: readonly string[], hasFile: boolean): Promise<Whose> {
  if (first === undefined || second !== undefined || hasFile) return { name: first, feedback: second };
  const isName = !/\s/.test(first) && (await listWorkers(surroundings)).some(({ name }) => name === first);
  return isName ? { name: first, feedback: undefined } : { name: undefined, feedback: first };
}
