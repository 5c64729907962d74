/**
 * Mails questions. The mail server is leased to one replica at a time. A mail cannot be changed, so a card that only changed is not
 * mailed; all cards due at one address at the same time, as after quiet hours, are one mail.
 */
import { createHash } from 'node:crypto';
import { messageOf } from '@drover/base';
import type { DueDelivery } from '@drover/store';
import { linkOf, pageOfQuestion } from '../facts/escalations/link.ts';
import type { Context } from '../context/context.ts';
import { isOpen } from '../facts/escalations/context.ts';
import { noteUnreachable } from '../loop/escalations/reach.ts';
import { doublingWaits } from '../sending/schedule.ts';
import type { Verdict } from '../sending/schedule.ts';
import { sendAgain } from '../loop/escalations/given-up.ts';
import type { Ended, Lane, Station } from '../sending/sender.ts';
import { letterOf } from './letter.ts';
import type { LinkTo } from './letter.ts';
import { WHOLE_MS } from './mailer.ts';
import type { Mailer } from '../context/mailer.ts';

/** Channel of places that are addresses of mail. */
export const EMAIL = 'email';
/** Deliveries that are claimed at once. */
const CLAIMED_MAX = 200;
/** Mails at once: servers limit the connections of one client, often to ten. */
const AT_ONCE = 4;
/** Waits before further tries, in milliseconds. Source: docs/escalations.md, by mail. */
const WAITS_MS = doublingWaits({ firstMs: 10_000, longestMs: 600_000, wholeMs: 72 * 3_600_000 });
/** Outcome for a card that only changed, which is not mailed. */
const TAKEN = { kind: 'taken' } as const;
const SERVER: Station = { id: EMAIL, name: 'the mail server' };

/** A mail: everything that is due at one address. */
interface Letter {
  readonly to: string;
  readonly due: readonly DueDelivery[];
  /** Deliveries among them that call somebody. */
  readonly calls: readonly DueDelivery[];
}

/** Builds the lane of mail. */
export function mailLane(ctx: Context, mailer: Mailer): Lane<Station, Letter, unknown> {
  const { store } = ctx;
  return {
    leaseMs: 150_000,
    sendMs: WHOLE_MS,
    atOnce: AT_ONCE,
    waitsMs: WAITS_MS,
    stations: () => Promise.resolve([SERVER]),
    hold: (_server, hold) => store.holdChannel({ channel: EMAIL, ...hold }),
    free: (_server, { holder }) => store.releaseChannel(EMAIL, holder),
    claim: async (_server, hold) => {
      const due = await store.claimDeliveries({ channel: EMAIL, ...hold }, CLAIMED_MAX);
      const byAddress = Map.groupBy(due, ({ delivery }) => delivery.address);
      return [...byAddress].map(([to, own]) => ({ to, due: own, calls: own.filter(isCall) }));
    },
    // Old failures at an address do not delay new calls.
    failures: ({ calls }) => Math.min(...calls.map(({ delivery }) => delivery.failures)),
    send: (letter) => problemOf(ctx, { mailer, letter }),
    classOf,
    save: async ({ due, calls }, end) => {
      for (const one of due) await save(ctx, { one, end: calls.includes(one) ? end : { ...end, verdict: TAKEN } });
    },
  };
}

function isCall({ delivery, escalation }: DueDelivery): boolean {
  return delivery.pingsGiven < delivery.pingsWanted && isOpen(escalation);
}

/** Sends a mail. @returns the problem; null: the server has taken the mail, or nobody is called. */
async function problemOf(
  ctx: Context,
  { mailer, letter: { to, calls } }: { readonly mailer: Mailer; readonly letter: Letter },
): Promise<unknown> {
  if (calls.length === 0) return null;
  try {
    const person = await readerOf(ctx, to);
    const linkTo: LinkTo = ({ id, asked }) => linkOf(ctx, { escalation: id, asked, person });
    const questions = calls.map(({ escalation }) => escalation);
    await mailer.send({ id: idOf(to, calls), to, ...letterOf(questions, linkTo, ({ id }) => pageOfQuestion(ctx, id)) });
    return null;
  } catch (error) {
    return error ?? new Error('Cannot send the mail');
  }
}

/** Derives the id of a mail: the same calls are the same mail. */
function idOf(to: string, calls: readonly DueDelivery[]): string {
  const told = calls.map(({ delivery: { escalationId, pingsWanted } }) => `${escalationId} ${pingsWanted}`);
  return createHash('sha256')
    .update([to, ...told.toSorted()].join('\n'))
    .digest('hex')
    .slice(0, 40);
}

/** Finds the id of the person with this address; null: no known person has it, so the mail gets no link. */
async function readerOf({ store }: Context, address: string): Promise<string | null> {
  const places = await store.listPlaces();
  return places.find((one) => one.channel === EMAIL && one.address === address)?.personId ?? null;
}

/** Classes a problem. A server that does not know this address is not asked again; a problem of the server itself can be fixed. */
function classOf(problem: unknown): Verdict {
  if (problem === null) return { kind: 'taken' };
  const why = messageOf(problem);
  return isUnknownAddress(problem) ? { kind: 'never', why } : { kind: 'again', why, afterMs: null };
}

/** Answer for an unknown address. Other refusals with the same code, such as of a relay or a sender, can be fixed. Source: RFC 3463, 3.2. */
const UNKNOWN = /^5\d\d[ -]5\.1\.\d+/mu;

function isUnknownAddress(problem: unknown): boolean {
  if (!(problem instanceof Error) || !('command' in problem) || !('response' in problem)) return false;
  return problem.command === 'RCPT TO' && UNKNOWN.test(String(problem.response));
}

async function save(
  ctx: Context,
  { one: { delivery, escalation }, end }: { readonly one: DueDelivery; readonly end: Ended<unknown> },
): Promise<void> {
  const { store, log } = ctx;
  const { escalationId, channel, address, pingsWanted } = delivery;
  const { holder, verdict, next, now } = end;
  const key = { escalationId, channel, address, holder };
  if (verdict.kind === 'taken') {
    const { version } = escalation;
    await store.endDelivery(key, { kind: 'shown', version, ref: 'mail', pings: pingsWanted }, now);
    return;
  }
  const isFinal = next.kind === 'dead';
  const notBefore = next.kind === 'wait' ? next.until : now;
  await store.endDelivery(key, { kind: 'failed', error: verdict.why, notBefore, isFinal }, now);
  const what = `Cannot mail the question ${escalationId} to ${address}`;
  if (isFinal) await noteUnreachable(ctx, escalationId);
  if (isFinal) log('error', `${what}. ${sendAgain({ channel, address })}`, { error: verdict.why });
  else log('warn', `${what}; retrying`, { error: verdict.why });
}
