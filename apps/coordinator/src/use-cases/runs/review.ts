/** Shows the candidate of a run, and merges the one that was shown. */
import type { RunQuestion } from '@drover/core';
import type { Actor, Outcome, RunFleet, RunReviewView, RunView } from '@drover/api';
import type { RunRow } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { refused } from '../../context/refused.ts';
import { ask } from '../../facts/machines/query.ts';
import { causeOf } from '../../facts/people/causes.ts';
import { findRun } from '../../facts/runs/find.ts';
import { shortRunId } from '../../facts/runs/names.ts';
import { runLineOf } from '../../facts/runs/view.ts';
import { handleRunEvent } from '../../loop/runs/handle.ts';
import { answerQuestion } from './act.ts';
import type { RunWaiters } from './start.ts';

/** Name for questions to a machine that are about no worker. */
const NOBODY = 'main';

/** Asks the run's machine for the change that a yes would merge, and notes the commit whose diff the caller was shown. */
export async function reviewRun(
  ctx: Context,
  waiters: RunWaiters,
  { id, stat = false, by }: Parameters<RunFleet['reviewRun']>[0] & { readonly by: Actor },
): Promise<Outcome<RunReviewView>> {
  const found = await findRun(ctx, id, by);
  if (found.kind === 'refused') return found;
  const { row } = found;
  const question = candidateOf(row);
  if (question === null)
    return refused(
      'nothing-to-review',
      `The run ${shortRunId(row.id)} has no commit that waits for a yes: it is ${row.status} (${row.state.why})`,
    );
  const { projectId, machineId, state } = row;
  const of = { id: machineId, name: NOBODY, projectId, machineId, options: null };
  const query = {
    kind: 'read-diff',
    began: state.terms.base.commit,
    head: question.commit,
    stat,
    isPinned: true,
  } as const;
  const answer = await ask(ctx, waiters, { row: of, query });
  if (answer.kind !== 'diff')
    return refused('machine', 'message' in answer ? answer.message : 'The machine answered another question');
  const { base, head, tree, dropped = null, commits, text: diff, notes, standing } = answer;
  // A list of files shows no change that a person could say yes to.
  if (!stat) await noteReview(ctx, row, { question: question.id, commit: head, by });
  const run = runLineOf(row, await ctx.store.listProjects());
  return {
    kind: 'ok',
    value: { run, question: question.text, base, head, tree, dropped, commits, diff, notes, standing },
  };
}

interface Shown {
  readonly question: string;
  readonly commit: string;
  readonly by: Actor;
}

/** Notes the commit that a person was shown, once for each question: a later one may be about a commit that they have seen before. */
export async function noteReview(
  ctx: Context,
  { id: runId }: Pick<RunRow, 'id'>,
  { question, commit, by }: Shown,
): Promise<void> {
  const event = { kind: 'reviewed', by: by.id, commit } as const;
  const heard = { runId, id: `reviewed ${by.id} ${question} ${commit}`, event, by: causeOf(by) };
  (await ctx.store.transaction((tx) => handleRunEvent(ctx, tx, heard)))?.hint();
}

/** Says yes to the commit that the caller has seen, or names. */
export async function acceptRun(
  ctx: Context,
  { id, head, requestId }: Parameters<RunFleet['acceptRun']>[0],
  by: Actor,
): Promise<Outcome<RunView>> {
  const found = await findRun(ctx, id, by);
  if (found.kind === 'refused') return found;
  const { row } = found;
  const question = candidateOf(row);
  const seen = head ?? row.state.reviewed?.[by.id];
  if (question !== null && (seen === undefined || !question.commit.startsWith(seen))) {
    const name = shortRunId(row.id);
    const what =
      seen === undefined ? 'you have not reviewed it' : `it waits with another commit than ${seen.slice(0, 12)}`;
    return refused('not-reviewed', `The run ${name}: ${what}: look at it with "drover review ${name}" first`);
  }
  const which = question === null ? {} : { question: question.id };
  return answerQuestion(ctx, { id: row.id, ...which, option: 'accept', requestId }, by);
}

/** Returns the question for a yes to a merge; null: there is none. */
function candidateOf({ state }: RunRow): (RunQuestion & { readonly commit: string }) | null {
  const question = state.questions.find(({ about }) => about === 'accept');
  return question?.commit == null ? null : { ...question, commit: question.commit };
}
