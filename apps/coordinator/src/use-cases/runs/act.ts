/** Does what people ask of a run: pauses, resumes and stops it, answers its questions. */
import type { RunAnswered, RunQuestion } from '@drover/core';
import type { Actor, Outcome, Refusal, Role, RunFleet, RunView } from '@drover/api';
import type { RunRow } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { refused } from '../../context/refused.ts';
import { readableName } from '../../facts/people/actor.ts';
import { audited } from '../../facts/people/audit-rows.ts';
import { causeOf } from '../../facts/people/causes.ts';
import { findRun } from '../../facts/runs/find.ts';
import { runName, shortRunId } from '../../facts/runs/names.ts';
import { answerRun } from '../../loop/runs/answer.ts';
import { handleRunEvent } from '../../loop/runs/handle.ts';
import { shown } from './start.ts';

export async function actOnRun(
  ctx: Context,
  { id, act, requestId }: Parameters<RunFleet['actOnRun']>[0],
  by: Actor,
): Promise<Outcome<RunView>> {
  const found = await findRun(ctx, id, by);
  if (found.kind === 'refused') return found;
  const { row } = found;
  const actor = causeOf(by);
  const event = { kind: 'person-acted', act, by: readableName(ctx, by) } as const;
  const handled = await ctx.store.transaction(async (tx) => {
    const heard = await handleRunEvent(ctx, tx, { runId: row.id, id: `act ${requestId}`, event, by: actor });
    if (heard !== null && heard.refused === null)
      await tx.audit(audited({ at: ctx.clock.now(), by: actor, action: `run-${PAST[act]}`, about: runName(row) }));
    return heard;
  });
  if (handled?.refused != null) return refused(handled.refused.code, handled.refused.message);
  handled?.hint();
  return shown(ctx, (await ctx.store.readRun(row.id)) ?? row);
}

const PAST = { pause: 'paused', resume: 'resumed', stop: 'stopped' } as const;

const RANK: Readonly<Record<Role, number>> = { worker: -1, viewer: 0, responder: 1, operator: 2, admin: 3 };

/** Answers the named question of a run, or the only one. */
export async function answerQuestion(
  ctx: Context,
  { id, question, option, words = '', parts, requestId }: Parameters<RunFleet['answerRun']>[0],
  by: Actor,
): Promise<Outcome<RunView>> {
  const found = await findRun(ctx, id, by);
  if (found.kind === 'refused') return found;
  const { row } = found;
  const asked = await askedIn(ctx, row, { question, requestId });
  if (asked.kind === 'refused') return asked;
  if (asked.question !== null && RANK[by.role] < RANK[roleOf(asked.question.who)])
    return refused('forbidden', `To answer this question you need the role ${asked.question.who}; yours is ${by.role}`);
  // Commands in a flow need the role admin, so commands that an edit adds do, too.
  const named = new Set(asked.question?.parts?.flatMap(({ check = [] }) => check));
  const isAdded = parts?.some(({ check = [] }) => check.some((one) => !named.has(one))) === true;
  if (asked.question !== null && isAdded && by.role !== 'admin')
    return refused(
      'forbidden',
      `Checks that an edit adds run commands, which needs the role admin; yours is ${by.role}`,
    );
  const given: RunAnswered['parts'] = parts === undefined ? null : parts.map(partOf);
  const said = { runId: row.id, question: asked.id, option, words, parts: given };
  const outcome = await ctx.store.transaction((tx) =>
    answerRun(ctx, tx, { ...said, requestId, by: causeOf(by), name: readableName(ctx, by) }),
  );
  if ('kind' in outcome) return outcome;
  outcome.hint();
  return shown(ctx, (await ctx.store.readRun(row.id)) ?? row);
}

type Part = NonNullable<Parameters<RunFleet['answerRun']>[0]['parts']>[number];

function partOf({ check, ...part }: Part): NonNullable<RunAnswered['parts']>[number] {
  return check === undefined ? part : { ...part, check };
}

function roleOf(who: string): Role {
  return Object.hasOwn(RANK, who) ? (who as Role) : 'operator';
}

type AskedIn = { readonly kind: 'asked'; readonly id: string; readonly question: RunQuestion | null } | Refusal;

/** Finds the question. An answer that was given before is repeated, whatever the run asks now. */
async function askedIn(
  ctx: Context,
  { id, state, status }: RunRow,
  { question, requestId }: { readonly question: string | undefined; readonly requestId: string },
): Promise<AskedIn> {
  const isRepeated = await ctx.store.transaction((tx) => tx.hasRunEvent(id, `answer ${requestId}`));
  if (isRepeated) return { kind: 'asked', id: question ?? '', question: null };
  const { questions } = state;
  const named = question === undefined ? questions : questions.filter((one) => one.id === question);
  const [only, ...others] = named;
  const name = shortRunId(id);
  if (only === undefined)
    return questions.length === 0
      ? refused('stale', `The run ${name} asks nothing: it is ${status}`)
      : refused('stale', `The run ${name} no longer asks this question: see "drover run show ${name}"`);
  if (others.length > 0)
    return refused(
      'invalid',
      `The run ${name} asks ${named.length} questions: name one with --question: ${named.map((one) => one.id).join(', ')}`,
    );
  return { kind: 'asked', id: only.id, question: only };
}
