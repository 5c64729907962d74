/** Shows and answers the question of a link: nothing else, as the person whose link it is. X10. */
import { refusalOf, ROUTES } from '@drover/api';
import type { ActionAnswer, ActionInput, Actor, EscalationFleet, Outcome } from '@drover/api';
import type { EscalationRow } from '@drover/store';
import { lesser } from '../../facts/people/roles.ts';
import type { Context } from '../../context/context.ts';
import { isOpen } from '../../facts/escalations/context.ts';
import { over } from '../../facts/escalations/find.ts';
import { refused } from '../../context/refused.ts';
import { readToken, requestOf } from '../../facts/escalations/link.ts';
import type { LinkClaim } from '../../facts/escalations/link.ts';

/** A valid link with its person and its question. */
export interface Linked {
  readonly claim: LinkClaim;
  readonly actor: Actor;
  readonly row: EscalationRow;
}

/** Finds the question of a link, as it is now. Changes nothing. Refuses with `not-found`, `forbidden` and `over`. */
export async function findLinked(ctx: Context, token: string): Promise<Outcome<Linked>> {
  const read = readToken(ctx, token);
  if (read.kind === 'refused') return read;
  const { claim } = read;
  const [people, row] = await Promise.all([ctx.store.listPeople(), ctx.store.readEscalation(claim.escalation)]);
  const person = people.find(({ id }) => id === claim.person);
  if (person === undefined) return refused('not-found', 'The person of this link was removed');
  const { id, name, projectId } = person;
  // A link may be forwarded: its holder can only answer.
  const role = lesser(person.role, 'responder');
  const actor: Actor = { kind: 'person', id, name, role, project: projectId, worker: null, via: 'link' };
  const refusal = refusalOf(ROUTES['escalations.resolve'], actor);
  if (refusal !== null) return refused('forbidden', `Answers need the role responder; ${name} has the role ${role}`);
  if (row === null || (projectId !== null && row.projectId !== projectId))
    return refused('not-found', 'This question no longer exists');
  return { kind: 'ok', value: { claim, actor, row } };
}

/** Tells why the question takes no answer by this link any more; null: it still does. */
export function closedTo({ claim, row }: Linked): Outcome<never> | null {
  if (!isOpen(row)) return over(row);
  if (row.asked === claim.asked) return null;
  return refused('changed', `The screen changed; the question is now: ${row.title}`);
}

/** Answers by a link (X2, X3, X4): decided as an answer at a terminal, with one request for all links of this asking and person. */
export async function answerByLink(
  ctx: Context,
  fleet: Pick<EscalationFleet, 'resolveEscalation'>,
  { linked: { claim, actor, row }, input: { option, text } }: { readonly linked: Linked; readonly input: ActionInput },
): Promise<Outcome<ActionAnswer>> {
  const requestId = requestOf(ctx, claim);
  const { asked } = claim;
  const answer = { requestId, id: row.id, option, asked, ...(text !== undefined && { text }) };
  const outcome = await fleet.resolveEscalation(answer, actor);
  if (outcome.kind === 'ok') {
    const label = row.question.options.find(({ id }) => id === option)?.label ?? option;
    return { kind: 'ok', value: { escalation: row.id, option, says: `Your answer counts: "${label}".` } };
  }
  if (outcome.code === 'key-reused') {
    const before = await ctx.store.readResponse(requestId);
    return refused('key-reused', `This link was already used for "${before?.option ?? 'another answer'}"`);
  }
  if (outcome.code !== 'changed') return outcome;
  const now = (await ctx.store.readEscalation(row.id)) ?? row;
  return refused('changed', `The screen changed; the question is now: ${now.title}`);
}
