/**
 * Sends webhooks. X13: each endpoint is a station of its own, with two requests at a time; so a slow or dead endpoint delays no other.
 * Due messages are read from the deliveries: a replica that dies loses nothing, and a message that it sent without a note goes again with
 * the same id.
 */
import type { AnnouncementView } from '@drover/api';
import type { WebhookDelivery, WebhookEndpoint } from '@drover/store';
import { questionOf } from '../use-cases/channels/card.ts';
import type { QuestionWords } from '../use-cases/channels/card.ts';
import type { Context } from '../context/context.ts';
import { announcementView, isWanted } from '../use-cases/feed/fleet.ts';
import { audited } from '../facts/people/audit-rows.ts';
import { POLICY } from '../facts/people/causes.ts';
import type { Ended, Lane } from '../sending/sender.ts';
import { webhookMessage } from './message.ts';
import { afterAttempt, classOf, WAITS_MS } from './schedule.ts';
import type { Told } from './schedule.ts';
import { ATTEMPT_MS, send } from './send.ts';
import type { Message, Resolve, Sent } from './send.ts';

/** Requests to one endpoint at the same time. */
const AT_ONCE = 2;
/** Announcements in one read. */
const PAGE = 200;
/** Characters of an error that are kept. */
const ERROR_CHARS_MAX = 300;

/** Settings of the lane. */
export interface WebhookParts {
  /** Hosts that may be private and without TLS. */
  readonly allowed: readonly string[];
  readonly resolve?: Resolve;
  /** Sends a message; absent: over the network. */
  readonly send?: (message: Message) => Promise<Sent>;
}

/** A delivery with the words of its question, read before the send: a failure of our database is no failure of the endpoint. */
interface Asking extends Told {
  readonly question: QuestionWords | null;
}

/** Builds the lane of webhooks. */
export function webhookLane(ctx: Context, parts: WebhookParts): Lane<WebhookEndpoint, Asking, Sent> {
  const { store, clock } = ctx;
  const overNetwork = (message: Message): Promise<Sent> => send({ ...parts, clock }, message);
  return {
    leaseMs: 30_000,
    sendMs: ATTEMPT_MS,
    atOnce: AT_ONCE,
    waitsMs: WAITS_MS,
    stations: async () => (await store.listWebhookEndpoints()).filter(({ disabledAt }) => disabledAt === null),
    hold: ({ id }, hold) => store.leaseWebhookEndpoint(id, hold),
    free: ({ id }, { holder, until }) => store.freeWebhookEndpoint(id, holder, until),
    claim: async ({ id }) => {
      const endpoint = await fill(ctx, id);
      if (endpoint === null || endpoint.disabledAt !== null) return [];
      const due = await store.dueWebhookDeliveries(id, clock.now(), AT_ONCE);
      return Promise.all(
        due.map(async (delivery) => ({ endpoint, delivery, question: await questionAbout(ctx, delivery) })),
      );
    },
    failures: ({ delivery }) => delivery.tries,
    send: async ({ endpoint, delivery, question }) => {
      try {
        return await (parts.send ?? overNetwork)(webhookMessage(endpoint, delivery, { now: clock.now(), question }));
      } catch (error) {
        return { kind: 'failed', error: String(error) };
      }
    },
    classOf,
    save: (told, end) => save(ctx, told, end),
  };
}

/** Adds deliveries for new announcements to the endpoint. @returns null when the endpoint is gone. */
async function fill({ store, clock, ids }: Context, id: string): Promise<WebhookEndpoint | null> {
  for (;;) {
    const known = (await store.listWebhookEndpoints()).find((one) => one.id === id);
    if (known === undefined) return null;
    const page = await store.followAnnouncements(known.cursor, PAGE);
    // Lost announcements are too old to be read: the endpoint continues with new ones.
    const last = page.items.length === PAGE ? page.items.at(-1)?.id : page.settled;
    const cursor = page.isLost ? page.settled : Math.max(known.cursor, last ?? 0);
    if (cursor === known.cursor) return known;
    const wanted = page.items.filter(
      (row) =>
        isWanted(row, known.types.length === 0 ? undefined : known.types) &&
        (known.projectId === null || row.projectId === known.projectId),
    );
    const now = clock.now();
    const deliveries = wanted.map((row) => ({
      id: ids.uuid(),
      endpointId: id,
      announcementId: row.id,
      body: announcementView(row),
      state: 'waiting' as const,
      tries: 0,
      nextAt: now,
      createdAt: now,
    }));
    const saved = await store.transaction(async (tx) => {
      const row = await tx.lockWebhookEndpoint(id);
      if (row === null) return null;
      await tx.insertWebhookDeliveries(deliveries);
      const next = { ...row, cursor: Math.max(row.cursor, cursor) };
      await tx.saveWebhookEndpoint(next);
      return next;
    });
    if (saved === null || page.items.length < PAGE) return saved;
  }
}

async function save(
  { store, log }: Context,
  { endpoint, delivery }: Told,
  { answer, verdict, next, at, now }: Ended<Sent>,
): Promise<void> {
  const disabled = await store.transaction(async (tx) => {
    const row = await tx.lockWebhookEndpoint(endpoint.id);
    const known = await tx.readWebhookDelivery(delivery.id);
    if (row === null || known === null) return null;
    const status = answer.kind === 'answered' ? answer.status : null;
    const error = answer.kind === 'failed' ? answer.error.slice(0, ERROR_CHARS_MAX) : null;
    await tx.insertWebhookAttempt({ deliveryId: delivery.id, at, durationMs: now - at, status, error });
    const after = afterAttempt({ delivery: known, endpoint: row }, answer, { next, now });
    // A delivery that was replayed meanwhile begins again.
    if (known.tries === delivery.tries && known.state === 'waiting') await tx.saveWebhookDelivery(after.delivery);
    await tx.saveWebhookEndpoint(after.endpoint);
    if (row.disabledAt !== null || after.endpoint.disabledAt === null) return null;
    const details = { why: after.endpoint.disabledWhy };
    await tx.audit(audited({ at: now, by: POLICY, action: 'webhook-disabled', about: `webhook ${row.name}`, details }));
    return after.endpoint;
  });
  if (disabled !== null)
    log('error', `The webhook "${disabled.name}" is switched off. ${disabled.disabledWhy ?? ''}: see "drover webhook"`);
  else if (next.kind === 'dead' && verdict.kind !== 'taken')
    log(
      'warn',
      `Cannot deliver ${(delivery.body as AnnouncementView).type} to the webhook "${endpoint.name}": every attempt failed. "drover webhook replay ${endpoint.name} ${delivery.id.slice(-8)}" sends it again`,
    );
}

/** Finds the words of the delivery's question; null: the delivery is about another thing, or the question is gone. */
async function questionAbout(ctx: Context, { body }: WebhookDelivery): Promise<QuestionWords | null> {
  const { kind, id } = (body as AnnouncementView).subject;
  const row = kind === 'escalation' ? await ctx.store.readEscalation(id) : null;
  return row === null ? null : questionOf(ctx, row);
}
