/**
 * Delivers webhooks. X13: each endpoint has a runner of its own, held by one replica, with two requests at a time; so one that is slow
 * or dead delays no other. What is due is read from the deliveries: a replica that dies loses nothing.
 */
import type { AnnouncementView } from '@drover/api';
import type { WebhookDelivery, WebhookEndpoint } from '@drover/store';
import { listenFor } from '../agent/waiters.ts';
import type { Waiters } from '../agent/waiters.ts';
import { questionOf } from '../use-cases/channels/card.ts';
import type { QuestionWords } from '../use-cases/channels/card.ts';
import type { Context } from '../use-cases/context.ts';
import { announcementView, isWanted } from '../use-cases/feed/fleet.ts';
import { audited } from '../use-cases/people/audit/rows.ts';
import { POLICY } from '../use-cases/people/causes.ts';
import { messageOf } from './message.ts';
import { afterAttempt } from './schedule.ts';
import { send } from './send.ts';
import type { Message, Resolve, Sent } from './send.ts';

/** Endpoints are looked at this often without a hint, in milliseconds. */
const TICK_MS = 1_000;
/** Between two looks, in milliseconds: a hint comes with each decision of a fleet at work, and most of them announce nothing. */
const APART_MS = 200;
/** An endpoint is held for so long, in milliseconds, and longer than an attempt takes: then another replica may go on. */
const LEASE_MS = 30_000;
/** Requests to one endpoint at once. */
const AT_ONCE = 2;
/** Announcements that are read at once. */
const PAGE = 200;
/** Characters of an error that are kept. */
const ERROR_CHARS_MAX = 300;

/** What the loop needs. */
export interface WebhookParts {
  readonly events: Waiters;
  /** Hosts that may be private and without TLS. */
  readonly allowed: readonly string[];
  readonly resolve?: Resolve;
  /** Sends one; absent: over the network. */
  readonly send?: (message: Message) => Promise<Sent>;
}

/** Once started it runs until it is disposed of; then it waits for the requests that are under way. */
export class WebhookLoop implements AsyncDisposable {
  readonly #ctx: Context;
  readonly #parts: WebhookParts;
  readonly #holder: string;
  readonly #end = new AbortController();
  readonly #running = new Map<string, Promise<void>>();
  #whole: Promise<void> = Promise.resolve();

  constructor(ctx: Context, parts: WebhookParts) {
    this.#ctx = ctx;
    this.#parts = parts;
    this.#holder = ctx.ids.uuid();
  }

  start(): this {
    this.#whole = this.#run();
    return this;
  }

  /** Delivers what is due now, and ends when nothing is left or it is disposed of. */
  async round(): Promise<void> {
    await this.#beginAll();
    await Promise.all(this.#running.values());
  }

  async #run(): Promise<void> {
    const { clock } = this.#ctx;
    while (!this.#end.signal.aborted) {
      using hint = listenFor(this.#parts.events, '*', {
        ms: TICK_MS,
        after: (ms, run) => clock.after(ms, run),
        signal: this.#end.signal,
      });
      await this.#beginAll();
      const lookedAt = clock.now();
      await hint.heard;
      const early = lookedAt + APART_MS - clock.now();
      if (early > 0) await this.#pause(Math.min(early, APART_MS));
    }
    await Promise.all(this.#running.values());
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#ctx.clock.after(ms, done);
      this.#end.signal.addEventListener('abort', done, { once: true });
      function done(): void {
        cancel();
        resolve();
      }
    });
  }

  async #beginAll(): Promise<void> {
    const { store, log } = this.#ctx;
    try {
      for (const endpoint of await store.listWebhookEndpoints()) this.#begin(endpoint);
    } catch (error) {
      log('debug', `Webhooks could not be read: ${String(error)}`);
    }
  }

  #begin({ id, name, disabledAt }: WebhookEndpoint): void {
    if (disabledAt !== null || this.#running.has(id)) return;
    const { log } = this.#ctx;
    const run = this.#serve(id)
      .catch((error: unknown) => log('warn', `The webhook "${name}" waits: ${String(error)}`))
      .finally(() => this.#running.delete(id));
    this.#running.set(id, run);
  }

  /** Until nothing is due. */
  async #serve(id: string): Promise<void> {
    const { store, clock } = this.#ctx;
    while (!this.#end.signal.aborted) {
      const now = clock.now();
      const isHeld = await store.leaseWebhookEndpoint(id, { holder: this.#holder, now, until: now + LEASE_MS });
      if (!isHeld) return;
      const endpoint = await this.#fill(id);
      if (endpoint === null || endpoint.disabledAt !== null) return;
      const due = await store.dueWebhookDeliveries(id, clock.now(), AT_ONCE);
      if (due.length === 0) return;
      await Promise.all(due.map((delivery) => this.#attempt(endpoint, delivery)));
    }
  }

  /** Notes what the endpoint is to be told of what was announced since. @returns null when it is gone. */
  async #fill(id: string): Promise<WebhookEndpoint | null> {
    const { store, clock, ids } = this.#ctx;
    for (;;) {
      const known = (await store.listWebhookEndpoints()).find((one) => one.id === id);
      if (known === undefined) return null;
      const page = await store.followAnnouncements(known.cursor, PAGE);
      // What is lost was announced too long ago: it goes on with what is new.
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

  async #attempt(endpoint: WebhookEndpoint, delivery: WebhookDelivery): Promise<void> {
    const { store, clock, random, log } = this.#ctx;
    const at = clock.now();
    const question = await this.#questionOf(delivery);
    const overNetwork = (message: Message): Promise<Sent> => send({ ...this.#parts, clock }, message);
    const sent = await (this.#parts.send ?? overNetwork)(messageOf(endpoint, delivery, { now: at, question }));
    const now = clock.now();
    const said = sent.kind === 'failed' ? { status: null, error: sent.error } : { status: sent.status, error: null };
    const disabled = await store.transaction(async (tx) => {
      const row = await tx.lockWebhookEndpoint(endpoint.id);
      const known = await tx.readWebhookDelivery(delivery.id);
      if (row === null || known === null) return null;
      const next = afterAttempt({ delivery: known, endpoint: row }, sent, { now, chance: random() });
      const error = said.error?.slice(0, ERROR_CHARS_MAX) ?? null;
      await tx.insertWebhookAttempt({ deliveryId: delivery.id, at, durationMs: now - at, status: said.status, error });
      // One that was replayed meanwhile begins again.
      if (known.tries === delivery.tries && known.state === 'waiting') await tx.saveWebhookDelivery(next.delivery);
      await tx.saveWebhookEndpoint(next.endpoint);
      if (row.disabledAt !== null || next.endpoint.disabledAt === null) return null;
      const details = { why: next.endpoint.disabledWhy };
      await tx.audit(
        audited({ at: now, by: POLICY, action: 'webhook-disabled', about: `webhook ${row.name}`, details }),
      );
      return next.endpoint;
    });
    if (disabled !== null)
      log(
        'error',
        `The webhook "${disabled.name}" is switched off. ${disabled.disabledWhy ?? ''}: see "drover webhooks"`,
      );
  }

  /** The words of the question that it is about; null: it is about another thing, or the question is gone. */
  async #questionOf({ body }: WebhookDelivery): Promise<QuestionWords | null> {
    const { kind, id } = (body as AnnouncementView).subject;
    const row = kind === 'escalation' ? await this.#ctx.store.readEscalation(id) : null;
    return row === null ? null : questionOf(this.#ctx, row);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    await this.#whole;
  }
}
