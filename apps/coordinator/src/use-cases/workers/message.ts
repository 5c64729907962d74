/** Sends a person's text to a worker: words for its agent, or the answer to the dialog that its agent shows. */
import { optionSaid, tellOptions } from '@drover/core';
import type { Actor, Outcome, RequestView } from '@drover/api';
import type { WorkerRow } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { decideAnswer, voiceOf } from '../../loop/escalations/answer.ts';
import { findWorker, viewWorker } from '../../facts/workers/find.ts';
import { decideRequest, findAsked } from '../../loop/subjects/requests.ts';

interface Message {
  readonly requestId: string;
  /** Name of the worker, as the person wrote it. */
  readonly name: string;
  readonly text: string;
}

/**
 * Answers the dialog if the text names one of its options, as `drover answer` does. Other words go to the agent; a dialog refuses
 * them and lists its options.
 */
export async function sendMessage(ctx: Context, message: Message, by: Actor): Promise<Outcome<RequestView>> {
  const { requestId, name, text } = message;
  const asked = await findAsked(ctx, by, requestId);
  const found = asked ?? (await findWorker(ctx, by, name));
  if (found.kind === 'refused') return found;
  const { row } = found;
  // A repeated request gets its first reply, whatever is on the screen by now.
  const answered = asked === null ? await answerDialog(ctx, { row, message, by }) : null;
  if (answered !== null) return answered;
  const event = { kind: 'message-requested', id: requestId, text } as const;
  return withWayOut(await decideRequest(ctx, { row, event: () => event, requestId, by }), name);
}

/** @returns null when the text is no answer to a dialog with an open question. */
async function answerDialog(
  ctx: Context,
  { row, message: { requestId, name, text }, by }: { row: WorkerRow; message: Message; by: Actor },
): Promise<Outcome<RequestView> | null> {
  const said = optionSaid(row.state, text);
  if (said === null) return null;
  const open = await ctx.store.listEscalations({ workerId: row.id, open: true, limit: ESCALATIONS_MAX });
  const found = open.find(({ members }) => members.some(({ incidentId }) => incidentId === said.incident));
  if (found === undefined) return null;
  const answer = { requestId, id: found.id, asked: found.asked, option: said.option };
  const { outcome, hints } = await ctx.store.transaction((tx) =>
    decideAnswer(ctx, tx, { found, answer, by: voiceOf(ctx, by) }),
  );
  for (const hint of hints) hint();
  const now = (await ctx.store.readWorker(row.id)) ?? row;
  if (outcome.kind === 'refused') {
    const message = [`${name}: ${outcome.message}`, tellOptions(now.state)].filter((part) => part !== null).join('. ');
    return withWayOut({ kind: 'refused', code: 'dialog', message }, name);
  }
  return {
    kind: 'ok',
    value: { worker: await viewWorker(ctx, by, now), note: `Drover is answering its dialog with "${said.option}"` },
  };
}

/** Open questions of one worker that are read at most. */
const ESCALATIONS_MAX = 10;

function withWayOut<T>(outcome: Outcome<T>, name: string): Outcome<T> {
  if (outcome.kind !== 'refused' || outcome.code !== 'dialog') return outcome;
  return { ...outcome, message: `${outcome.message}. Run "drover message ${name} NUMBER", or "drover attach ${name}"` };
}
