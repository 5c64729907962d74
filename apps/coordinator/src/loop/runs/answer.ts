/** Gives a person's answer to a run: of a chat card, a link, a command or the API. */
import type { RunAnswered } from '@drover/core';
import type { Refusal } from '@drover/api';
import type { Cause, StoreTransaction } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { refused } from '../../context/refused.ts';
import { audited } from '../../facts/people/audit-rows.ts';
import { spentByNow } from '../subjects/budgets.ts';
import { handleRunEvent } from './handle.ts';
import type { RunHandled } from './handle.ts';

export interface RunAnswer {
  readonly runId: string;
  readonly question: string;
  readonly option: string;
  readonly words: string;
  /** Edited plan; null: no plan. */
  readonly parts: RunAnswered['parts'];
  readonly requestId: string;
  readonly by: Cause;
  /** Name of the person. */
  readonly name: string;
}

/** Decides the answer on the question as it is now: its commit is the one that the person saw, because another commit is another question. */
export async function answerRun(
  ctx: Context,
  tx: StoreTransaction,
  { runId, question, option, words, parts, requestId, by, name }: RunAnswer,
): Promise<RunHandled | Refusal> {
  const row = await tx.lockRun(runId);
  if (row === null) return refused('not-found', 'The run no longer exists');
  const asked = row.state.questions.find(({ id }) => id === question);
  const id = `answer ${requestId}`;
  if (asked === undefined) {
    if (await tx.hasRunEvent(runId, id)) return { row, refused: null, hint: () => {} };
    return refused('stale', 'The run no longer asks this question');
  }
  // The answer counts from what is spent by now, by others, too.
  const spent = asked.spent === undefined ? null : await spentByNow(ctx, tx, { run: row, asked: asked.spent });
  const answer = { kind: 'answered', question, option, by: name, words, parts, commit: asked.commit } as const;
  const event: RunAnswered = spent === null ? answer : { ...answer, spent };
  const handled = await handleRunEvent(ctx, tx, { runId, id, event, by });
  if (handled === null) return { row, refused: null, hint: () => {} };
  if (handled.refused !== null) return refused(handled.refused.code, handled.refused.message);
  const about = `run ${runId}, ${asked.item}: ${option}`;
  await tx.audit(audited({ at: ctx.clock.now(), by, action: 'run-answered', about, details: { requestId } }));
  return handled;
}
