/** Gives a bot its due deliveries, to one process at a time. A kill loses none: an unreported delivery is given again. */
import type { BotCall, ChannelFleet, Outcome } from '@drover/api';
import type { DeliveryReport, WorkAnswer } from '@drover/protocol';
import { CARD_OPTIONS_MAX, DELIVERIES_MAX } from '@drover/protocol';
import type { DueDelivery } from '@drover/store';
import { listenFor } from '../../context/waiters.ts';
import type { Waiters } from '../../context/waiters.ts';
import { doublingWaits, nextTry } from '../../sending/schedule.ts';
import type { Verdict } from '../../sending/schedule.ts';
import type { Context } from '../../context/context.ts';
import { linkOf } from '../../facts/escalations/link.ts';
import { isOpen } from '../../facts/escalations/context.ts';
import { noteUnreachable } from '../../loop/escalations/reach.ts';
import { refused } from '../../context/refused.ts';
import { cardOf, withOthers } from './card.ts';
import { sendAgain } from '../../loop/escalations/given-up.ts';
import { testDelivery } from './place-tests.ts';

/**
 * Milliseconds of the channel's lease, which polling for work and reporting it renew: a bot that died is replaced after this time. Aim: 8
 * s after a kill.
 */
const LEASE_MS = 6_000;
/** Milliseconds that a process may keep a delivery: longer than a call to a chat service may take. */
const IN_HAND_MS = 30_000;
/** Milliseconds between checks without a hint: another replica may have asked. */
const CHECK_EVERY_MS = 400;
/** Milliseconds in which many hints are gathered into one check. */
const GATHER_MS = 50;
/** Milliseconds after which a failing delivery is given up. */
const WHOLE_MS = 72 * 3_600_000;
const WAITS_MS = doublingWaits({ firstMs: 1_000, longestMs: 300_000, wholeMs: WHOLE_MS });

/** Waits for work up to `waitMs`. */
export async function channelWork(
  ctx: Context,
  { channel }: BotCall,
  {
    holder,
    waitMs,
    events,
    signal,
  }: Parameters<ChannelFleet['channelWork']>[1] & { events: Waiters; signal: AbortSignal | undefined },
): Promise<WorkAnswer> {
  const end = ctx.clock.now() + waitMs;
  const after = (ms: number, run: () => void): (() => void) => ctx.clock.after(ms, run);
  for (;;) {
    const now = ctx.clock.now();
    using hint = listenFor(events, '*', { ms: Math.min(CHECK_EVERY_MS, Math.max(1, end - now)), after, signal });
    const lease = { channel, holder, until: now + LEASE_MS, now };
    if (await ctx.store.holdChannel(lease)) {
      const due = await ctx.store.claimDeliveries({ ...lease, until: now + IN_HAND_MS }, DELIVERIES_MAX);
      const tests = due.length === 0 ? await ctx.store.takePlaceTests(channel, now) : [];
      if (due.length > 0 || tests.length > 0)
        return { kind: 'work', deliveries: [...(await deliveriesOf(ctx, due)), ...tests.map(testDelivery)] };
      if (now >= end || signal?.aborted === true) return { kind: 'work', deliveries: [] };
    } else if (now >= end || signal?.aborted === true) {
      return { kind: 'stand-by' };
    }
    await hint.heard;
    await new Promise<void>((resolve) => ctx.clock.after(GATHER_MS, resolve));
  }
}

/** Channels whose cards cannot take every answer: the person of the place gets a link beside the card. */
const LINKED: ReadonlySet<string> = new Set(['ntfy']);

async function deliveriesOf(
  ctx: Context,
  due: readonly DueDelivery[],
): Promise<Extract<WorkAnswer, { kind: 'work' }>['deliveries']> {
  const hasLinks = ctx.publicUrl !== undefined && due.some(({ delivery: { channel } }) => LINKED.has(channel));
  const places = hasLinks ? await ctx.store.listPlaces() : [];
  const given = due.map((one): Told => {
    const { channel, address } = one.delivery;
    const { id, asked } = one.escalation;
    const person = places.find((place) => place.channel === channel && place.address === address)?.personId ?? null;
    const link = isOpen(one.escalation) ? linkOf(ctx, { escalation: id, asked, person }) : undefined;
    const { notBefore, failures } = one.delivery;
    const optionIds = one.escalation.question.options.slice(0, CARD_OPTIONS_MAX).map((option) => option.id);
    const given = { ...deliveryOf(ctx, one), ...(link !== undefined && { link, optionIds }) };
    // A pause after a failed try is another reason to wait.
    return { given, wasHeld: notBefore !== null && failures === 0 };
  });
  return [...Map.groupBy(given, ({ given: { address } }) => address).values()].flatMap(alarmOnce);
}

type Given = Extract<WorkAnswer, { kind: 'work' }>['deliveries'][number];

/** A delivery for a bot, and whether its call was held back until now. */
interface Told {
  readonly given: Given;
  readonly wasHeld: boolean;
}

/** Cards that alarm a place one by one. If there are more at once, the most severe alarms for all, and names the others. */
const ALARMS_MAX = 10;

/**
 * Builds the cards of one place. Calls that a quiet night or a silence held back, and a fleet that broke, are no reason to ring thirty
 * times: one card alarms for all of them.
 */
function alarmOnce(ofPlace: readonly Told[]): readonly Given[] {
  const alarms = ofPlace.filter(({ given: { ping } }) => ping);
  const together = alarms.length > ALARMS_MAX ? alarms : alarms.filter(({ wasHeld }) => wasHeld);
  const [first, ...others] = together.map(({ given }) => given).toSorted((one, other) => rankOf(one) - rankOf(other));
  const all = ofPlace.map(({ given }) => given);
  if (first === undefined || others.length === 0) return all;
  const names = others.map(({ card }) => card);
  const loud = { ...first, card: withOthers(first.card, names) };
  const rest = all.filter((one) => one !== first);
  return [loud, ...rest.map((one) => (others.includes(one) ? { ...one, ping: false } : one))];
}

/** Severities, the worst first. */
const RANKS: readonly string[] = ['fatal', 'error', 'warning'];

function rankOf({ card }: Given): number {
  const rank = RANKS.indexOf(card.severity);
  return rank === -1 ? RANKS.length : rank;
}

function deliveryOf(ctx: Context, { delivery, escalation }: DueDelivery): Given {
  return {
    address: delivery.address,
    ref: delivery.ref,
    // People see the end of a question that was answered meanwhile, quietly.
    ping: isOpen(escalation) && delivery.pingsGiven < delivery.pingsWanted,
    pings: delivery.pingsWanted,
    card: cardOf(ctx, escalation),
  };
}

/** Notes the result of a delivery. */
export async function reportDelivery(
  ctx: Context,
  { channel }: BotCall,
  { escalation, report }: { readonly escalation: string; readonly report: DeliveryReport },
): Promise<Outcome<null>> {
  const now = ctx.clock.now();
  const key = { escalationId: escalation, channel, address: report.address, holder: report.holder };
  const end = await endOf(ctx, { channel, escalation, report });
  const isKept = await ctx.store.endDelivery(key, end, now);
  if (!isKept && (await ctx.store.endPlaceTest(escalation, report))) return { kind: 'ok', value: null };
  if (!isKept)
    return refused('not-held', 'Another process has taken this delivery, or its place was removed: ask for work again');
  // Some bots ask for no work while they show cards: another process would show the rest a second time.
  await ctx.store.holdChannel({ channel, holder: report.holder, until: now + LEASE_MS, now });
  if (end.kind === 'failed') {
    const what = `Cannot show the question ${escalation} at ${channel}:${report.address}: ${end.error}`;
    if (end.isFinal) await noteUnreachable(ctx, escalation);
    if (end.isFinal) ctx.log('error', `${what}. ${sendAgain({ channel, address: report.address })}`);
    else ctx.log('warn', what);
  }
  return { kind: 'ok', value: null };
}

async function endOf(
  ctx: Context,
  { channel, escalation, report }: { channel: string; escalation: string; report: DeliveryReport },
): Promise<Parameters<Context['store']['endDelivery']>[1]> {
  if (report.kind === 'shown') {
    const { version, ref, pings } = report;
    return { kind: 'shown', version, ref, pings };
  }
  const { error, retryAfterMs, isFinal, address } = report;
  const known = (await ctx.store.listDeliveries(escalation)).find(
    (one) => one.channel === channel && one.address === address,
  );
  const now = ctx.clock.now();
  const verdict: Verdict = isFinal
    ? { kind: 'never', why: error }
    : { kind: 'again', why: error, afterMs: retryAfterMs };
  // A service that names a wait is not asked later because it named a wait before, nor given up because it did so often.
  const isYoung = now - (known?.shownAt ?? known?.createdAt ?? now) < WHOLE_MS;
  const counted = Math.min(known?.failures ?? 0, isYoung ? WAITS_MS.length - 1 : Number.POSITIVE_INFINITY);
  const failures = retryAfterMs === null ? counted : 0;
  const next = nextTry(verdict, { failures, waitsMs: WAITS_MS, now, chance: ctx.random() });
  return { kind: 'failed', error, isFinal: next.kind === 'dead', notBefore: next.kind === 'wait' ? next.until : now };
}
