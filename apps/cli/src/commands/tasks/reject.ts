/** `drover reject`: feedback on work that waits for review. */
import { ask } from '../../client/client.ts';
import { answer, defined } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { optional, text } from '../../program/spec.ts';
import type { Surroundings } from '../../surroundings.ts';
import { readText } from '../../terminal/texts.ts';
import { listWorkers } from '../workers/by-name.ts';
import { workerLine } from '../workers/text.ts';

/** `drover reject`. */
export const command = defineCommand({
  about: 'send work back with feedback',
  example:
    'drover reject adam "The test is missing"\ndrover reject "The test is missing"\ndrover reject adam --file feedback.md',
  args: {
    worker: optional('whose work (default: the one that you reviewed last)'),
    text: optional('what to change, in quotes'),
  },
  options: { file: text('file', 'a file with the feedback; "-" reads stdin') },
  async run(surroundings, { args, options: { file } }) {
    const { name, feedback } = await whose(surroundings, [args.worker, args.text], file !== undefined);
    const source = {
      text: feedback,
      file,
      cwd: surroundings.cwd,
      what: 'feedback',
      given: 'writing it after the worker',
      option: '--file',
    };
    const input = { orderId: surroundings.uuid(), text: await readText(source), ...defined({ name }) };
    const { worker } = await ask(surroundings, (client) => client.workers.reject.mutate(input));
    answer(surroundings, worker, workerLine);
  },
});

interface Whose {
  readonly name: string | undefined;
  readonly feedback: string | undefined;
}

type Typed = readonly [string | undefined, string | undefined];

/** Two words are a worker and the feedback. One is the worker if there is one of that name, or the feedback is in a file. */
async function whose(surroundings: Surroundings, [first, second]: Typed, hasFile: boolean): Promise<Whose> {
  if (first === undefined || second !== undefined || hasFile) return { name: first, feedback: second };
  const isName = !/\s/.test(first) && (await listWorkers(surroundings)).some(({ name }) => name === first);
  return isName ? { name: first, feedback: undefined } : { name: undefined, feedback: first };
}
