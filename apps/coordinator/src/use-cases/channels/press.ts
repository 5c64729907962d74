/** Handles a press of a button, or its words: decided by the same use cases as an answer at a terminal, and stored before it is answered. X1. */
import type { Actor, BotCall, ChannelFleet, EscalationFleet, Outcome, TaskFleet } from '@drover/api';
import type { Button, PressOutcome, PressRequest } from '@drover/protocol';
import type { EscalationRow } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { isOpen } from '../../facts/escalations/context.ts';
import { cardOf } from './card.ts';
import { testPressed } from './place-tests.ts';
import { chatRefusal, NOT_LINKED, speakerOf } from './speaker.ts';

/** Use cases that a press asks. */
export type PressFleet = Pick<EscalationFleet, 'resolveEscalation' | 'ackEscalation'> & Pick<TaskFleet, 'accept'>;

/** Handles a press. See `ChannelFleet`. */
export async function press(
  ctx: Context,
  fleet: PressFleet,
  { call, request }: { readonly call: BotCall; readonly request: PressRequest },
): ReturnType<ChannelFleet['press']> {
  const { button, subject } = request;
  const person = await ctx.store.personOf(call.channel, subject);
  if (person === null) return { kind: 'not-allowed', says: NOT_LINKED };
  const actor = speakerOf(call, person, subject);
  const refusal = chatRefusal(ROUTE_OF[button.kind], actor, call);
  if (refusal !== null) return { kind: 'not-allowed', says: refusal };
  if (button.kind === 'accept') return accepted(fleet, { request, button, actor });
  const row = await ctx.store.readEscalation(button.escalation);
  const tried = row === null ? await ctx.store.readPlaceTest(button.escalation) : null;
  if (tried !== null) return testPressed(tried, person.name);
  if (row === null || (actor.project !== null && actor.project !== row.projectId))
    return { kind: 'over', says: 'This question no longer exists.', card: null };
  return button.kind === 'ack'
    ? acked(ctx, fleet, { row, actor, request })
    : answered(ctx, fleet, { row, actor, request, button });
}

const ROUTE_OF = {
  answer: 'escalations.resolve',
  ack: 'escalations.ack',
  accept: 'workers.accept',
} as const satisfies Readonly<Record<Button['kind'], string>>;

async function answered(
  ctx: Context,
  fleet: PressFleet,
  {
    row,
    actor,
    request: { key, text },
    button,
  }: { row: EscalationRow; actor: Actor; request: PressRequest; button: Extract<Button, { kind: 'answer' }> },
): Promise<PressOutcome> {
  // X3: a repeated press keeps its first option, whatever the question is by now.
  const known = await ctx.store.readResponse(key);
  const option = row.question.options[button.option];
  const isPresent = isOpen(row) && button.asked === row.asked;
  if (known === null && isPresent) {
    if (option === undefined)
      return { kind: 'over', says: 'This question no longer has that option.', card: cardOf(ctx, row) };
    if (option.needsText && text === undefined)
      return { kind: 'needs-text', says: `Write the text for "${option.label}".`, card: cardOf(ctx, row) };
  }
  const outcome = await fleet.resolveEscalation(
    {
      requestId: key,
      id: row.id,
      // An earlier question had other options; any name will do, because the asking is refused.
      option: known?.option ?? option?.id ?? 'none',
      asked: button.asked,
      ...(text !== undefined && { text }),
    },
    actor,
  );
  const now = (await ctx.store.readEscalation(row.id)) ?? row;
  const card = cardOf(ctx, now);
  if (outcome.kind === 'ok')
    return { kind: 'accepted', says: `Your answer counts: "${option?.label ?? known?.option ?? ''}".`, card };
  return { kind: 'over', says: refusalWords(outcome, now), card };
}

function refusalWords({ code, message }: Extract<Outcome<unknown>, { kind: 'refused' }>, row: EscalationRow): string {
  if (code === 'already-resolved' && row.resolution !== null) {
    const { by, option } = row.resolution;
    const label = row.question.options.find(({ id }) => id === option)?.label ?? option;
    return `${by} already chose "${label}".`;
  }
  if (code === 'changed') return `The screen changed; the question is now: ${row.title}`;
  return message;
}

/** Acknowledges a press once (X3): a press that a chat delivers again, however late, acknowledges nothing a second time. */
async function acked(
  ctx: Context,
  fleet: PressFleet,
  { row, actor, request: { key } }: { row: EscalationRow; actor: Actor; request: PressRequest },
): Promise<PressOutcome> {
  const outcome = await fleet.ackEscalation({ id: row.id, requestId: key }, actor);
  const card = cardOf(ctx, (await ctx.store.readEscalation(row.id)) ?? row);
  return outcome.kind === 'ok'
    ? { kind: 'accepted', says: 'Noted: you are working on it.', card }
    : { kind: 'over', says: outcome.message, card };
}

async function accepted(
  fleet: PressFleet,
  {
    request: { key },
    button: { worker, head },
    actor,
  }: { request: PressRequest; button: Extract<Button, { kind: 'accept' }>; actor: Actor },
): Promise<PressOutcome> {
  const outcome = await fleet.accept({ requestId: key, name: worker, head }, actor);
  return outcome.kind === 'ok'
    ? { kind: 'accepted', says: `${worker} is being merged: ${outcome.value.worker.note}`, card: null }
    : { kind: 'over', says: outcome.message, card: null };
}
