/** `drover reject`: sends feedback on work that waits for review. */
import type { WorkerView } from '@drover/api';
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { answer, defined } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { optional, text } from '../../program/spec.ts';
import type { Surroundings } from '../../surroundings.ts';
import { readText, type TextSource } from '../../terminal/texts.ts';
import { listWorkers } from '../worker/by-name.ts';
import { workerLine } from '../worker/text.ts';
import { type Comment, parseFeedback } from './reject/comments.ts';

export const command = defineCommand({
  about: 'send work back with feedback',
  example:
    'drover reject adam "The test is missing"\ndrover reject "The test is missing"\ndrover reject adam --file feedback.md',
  more: `A file holds free text, comments on lines of the diff that you reviewed, or both:

  Please look at these.
  src/app.ts:12: rename this
    so that it says what it is for
  src/app.ts:-30: this check is still needed

A comment is "PATH:LINE: words", as compilers print it. LINE counts in the file
after the work, -LINE in the file before it, for a line that the work removes.
Further lines of a comment begin with a blank, and so does text that looks like
a comment and is none. Lines that begin with "#:" are not sent. The agent gets
one message: the text, then each comment with its line.
"drover review adam --comments FILE" writes a file to begin with.`,
  args: {
    worker: optional('whose work (default: the one that you reviewed last)'),
    text: optional('what to change, in quotes'),
  },
  options: { file: text('file', 'a file with the feedback and comments on lines; "-" reads stdin') },
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
    const input = { requestId: surroundings.uuid(), ...(await readFeedback(source)), ...defined({ name }) };
    const { worker } = await ask(surroundings, (client) => client.workers.reject.mutate(input));
    answer(surroundings, worker, workerLine);
  },
});

/** Reads the feedback. Only a file has comments: text on the command line is sent unchanged. */
async function readFeedback(source: TextSource): Promise<{ text?: string; comments?: Comment[] }> {
  const whole = await readText(source);
  if (source.file === undefined) return { text: whole };
  const { text, comments } = parseFeedback(whole, source.file === '-' ? 'stdin' : source.file);
  if (text === '' && comments.length === 0)
    throw new CommandError('usage', `${source.file} contains only notes: write a comment or a text into it`);
  return { ...(text === '' ? {} : { text }), ...(comments.length === 0 ? {} : { comments: [...comments] }) };
}

interface Whose {
  readonly name: string | undefined;
  readonly feedback: string | undefined;
}

type Typed = readonly [string | undefined, string | undefined];

/**
 * Splits worker and feedback. Two words are a worker and the feedback. A single word is the worker if a worker has that
 * name, or if the feedback is in a file.
 */
async function whose(surroundings: Surroundings, [first, second]: Typed, hasFile: boolean): Promise<Whose> {
  if (first === undefined || second !== undefined || hasFile) return { name: first, feedback: second };
  const isName = !/\s/.test(first) && (await listWorkers(surroundings)).some(isCalled(first));
  return isName ? { name: first, feedback: undefined } : { name: undefined, feedback: first };
}

function isCalled(given: string): (worker: WorkerView) => boolean {
  return ({ project, name }) => given === name || given === `${project}/${name}`;
}
