/** Reviews and accepts the candidate of a run: `drover review RUN`, `drover accept RUN`. */
import type { RunReviewView, RunView } from '@drover/api';
import { ask, reasonOf } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { answer, defined } from '../../program/answer.ts';
import type { Page } from '../../program/answer.ts';
import type { Surroundings } from '../../surroundings.ts';
import { page } from '../../terminal/pager.ts';
import { plain } from '../../terminal/style.ts';
import { diffText } from '../task/review/diff-text.ts';
import { workHead } from '../task/review/head.ts';
import { runText } from './text.ts';

const RUN_ID = /^[0-9a-f][0-9a-f-]{3,35}$/iu;

/** Calls `otherwise` with what is no worker but may be a run. @throws the error about the worker, if there is no such run either. */
export async function orRun<T>(
  name: string | undefined,
  call: () => Promise<T>,
  otherwise: (id: string) => Promise<T>,
): Promise<T> {
  // A worker's name begins with a letter, and most ids do not.
  if (name !== undefined && /^\d/u.test(name) && RUN_ID.test(name)) return otherwise(name);
  try {
    return await call();
  } catch (error) {
    if (name === undefined || reasonOf(error) !== 'not-found' || !RUN_ID.test(name)) throw error;
    return otherwise(name).catch((other: unknown) => {
      throw reasonOf(other) === 'not-found' ? error : other;
    });
  }
}

export async function reviewRun(
  surroundings: Surroundings,
  { id, stat }: { readonly id: string; readonly stat: boolean },
): Promise<void> {
  const { terminal } = surroundings;
  const review = await ask(surroundings, (client) => client.runs.review.mutate({ id, stat }));
  if (terminal.json) {
    terminal.out(JSON.stringify(review));
    return;
  }
  const head = reviewHead(review, { now: surroundings.now(), terminal });
  await page(surroundings, `${head}\n${stat ? review.diff : diffText(review.diff, terminal)}`);
  terminal.err(`\n${nextStep(review, stat)}`);
}

/** Says what an accept merges now. `stat`: only the list of files was shown. */
export function nextStep(
  { head, run: { shortId } }: { readonly head: string; readonly run: Pick<RunView, 'shortId'> },
  stat: boolean,
): string {
  const accept = `"drover accept ${shortId}"`;
  return stat
    ? `A list of files is no review of a run: look at its diff with "drover review ${shortId}" before ${accept}.`
    : `You have reviewed commit ${head}; ${accept} merges no other commit.`;
}

function reviewHead(review: RunReviewView, page: Page): string {
  const { run, question } = review;
  const lines = question.split('\n').map((line) => `  ${plain(line)}`);
  const title = `run ${run.shortId}  ${run.flow}: ${plain(run.goal)}`;
  return [title, ...lines, ...workHead(review, { where: `run ${run.shortId}`, notes: [] }, page), ''].join('\n');
}

/** Says yes, and waits until the run has merged it. @throws {CommandError} `refused` if it did not. */
export async function acceptRun(
  surroundings: Surroundings,
  { id, head, wait }: { readonly id: string; readonly head: string | undefined; readonly wait: boolean },
): Promise<void> {
  const input = { id, requestId: surroundings.uuid(), ...defined({ head }) };
  let run = await ask(surroundings, (client) => client.runs.accept.mutate(input));
  if (!wait) {
    answer(surroundings, run, runText);
    return;
  }
  while (isMerging(run)) {
    const known = { id: run.id, seq: run.seq };
    run = await ask(surroundings, (client) => client.runs.await.query(known));
  }
  answer(surroundings, run, runText);
  // A branch that is handed over ends the run without a merge.
  if (run.merged === null && run.status !== 'finished')
    throw new CommandError('refused', `The run ${run.shortId} is not merged: ${plain(run.why)}`);
}

function isMerging({ endedAt, questions }: RunView): boolean {
  return endedAt === null && questions.length === 0;
}
