/**
 * Sends mail about questions that are to be told by mail. One replica has the work at a time. A mail cannot be changed, so a card that only
 * changed is none; what is due at one address at the same time, as after quiet hours, is one mail.
 */
import type { DueDelivery } from '@drover/store';
import type { Context } from '../use-cases/context.ts';
import { linkOf } from '../use-cases/actions/link.ts';
import { inLanes } from '../sending/lanes.ts';
import { underLease } from '../sending/lease.ts';
import { pauseAfter } from '../sending/pause.ts';
import { letterOf } from './letter.ts';
import type { LinkTo } from './letter.ts';
import { WHOLE_MS } from './mailer.ts';
import type { Mailer } from './mailer.ts';

/** The channel of places that are addresses of mail. */
export const EMAIL = 'email';
/** Between two looks, in milliseconds. */
const EVERY_MS = 1_000;
/** A replica that dies leaves the work to another after so long, in milliseconds. A round renews it, however slow the server is. */
const HELD_MS = 60_000;
/** Deliveries of one round. */
const ROUND_MAX = 200;
/** Mails at once: servers limit the connections of one client, often to ten. */
const AT_ONCE = 4;
/** After a failed try. Source: docs/escalations.md, by mail. */
const PAUSES = { firstMs: 10_000, longestMs: 600_000 } as const;

/** Once started it runs until it is closed. */
export class MailLoop implements AsyncDisposable {
  readonly #ctx: Context;
  readonly #mailer: Mailer;
  readonly #holder: string;
  #cancel: () => void = () => {};
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(ctx: Context, mailer: Mailer) {
    this.#ctx = ctx;
    this.#mailer = mailer;
    this.#holder = ctx.ids.uuid();
  }

  start(): this {
    this.#wait();
    return this;
  }

  #wait(): void {
    if (this.#isStopped) return;
    this.#cancel = this.#ctx.clock.after(EVERY_MS, () => {
      this.#running = this.sendDue().finally(() => this.#wait());
    });
  }

  /** Sends what is due now. Never rejects. */
  async sendDue(): Promise<void> {
    const { store, clock, log } = this.#ctx;
    try {
      const now = clock.now();
      const claim = { channel: EMAIL, holder: this.#holder, until: now + HELD_MS, now };
      if (!(await store.holdChannel(claim))) return;
      const due = await store.claimDeliveries(claim, ROUND_MAX);
      const byAddress = Map.groupBy(due, ({ delivery }) => delivery.address);
      const renew = (until: number): Promise<boolean> => store.holdChannel({ ...claim, until, now: clock.now() });
      await underLease({ clock, leaseMs: HELD_MS, pieceMs: WHOLE_MS, renew }, (mayBegin) =>
        inLanes(byAddress, AT_ONCE, async ([address, deliveries]) => {
          if (this.#isStopped || !mayBegin()) return;
          await this.#sendTo(address, deliveries);
        }),
      );
    } catch (error) {
      log('warn', 'Mail about questions could not be sent; trying again', { error: String(error) });
    }
  }

  /** Never rejects: what could not be written down is tried again by a later round. */
  async #sendTo(address: string, due: readonly DueDelivery[]): Promise<void> {
    const calls = due.filter(
      ({ delivery, escalation: { status } }) =>
        delivery.pingsGiven < delivery.pingsWanted && (status === 'open' || status === 'acked'),
    );
    const problem = calls.length === 0 ? null : await this.#problemOf(address, calls);
    try {
      for (const one of due) await this.#end(one, calls.includes(one) ? problem : null);
    } catch (error) {
      this.#ctx.log('warn', `What became of the mail to ${address} could not be kept`, { error: String(error) });
    }
  }

  /** Why a mail could not be sent; null: the server has taken it. */
  async #problemOf(to: string, calls: readonly DueDelivery[]): Promise<string | null> {
    try {
      const person = await this.#readerOf(to);
      const linkTo: LinkTo = ({ id, asked }) => linkOf(this.#ctx, { escalation: id, asked, person });
      const questions = calls.map(({ escalation }) => escalation);
      await this.#mailer.send({ to, ...letterOf(questions, linkTo) });
      return null;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** The id of the person whose address it is; null: it is no known person's, so it gets no link. */
  async #readerOf(address: string): Promise<string | null> {
    const places = await this.#ctx.store.listPlaces();
    return places.find((one) => one.channel === EMAIL && one.address === address)?.personId ?? null;
  }

  async #end({ delivery, escalation }: DueDelivery, problem: string | null): Promise<void> {
    const { store, clock, log } = this.#ctx;
    const { escalationId, channel, address, failures, pingsWanted } = delivery;
    const now = clock.now();
    const key = { escalationId, channel, address, holder: this.#holder };
    if (problem === null) {
      const { version } = escalation;
      await store.endDelivery(key, { kind: 'shown', version, ref: 'mail', pings: pingsWanted }, now);
      return;
    }
    const notBefore = now + pauseAfter(failures, PAUSES);
    await store.endDelivery(key, { kind: 'failed', error: problem, notBefore, isFinal: false }, now);
    log('warn', `The question ${escalationId} could not be mailed to ${address}; trying again`, { error: problem });
  }

  /** Begins no further mail. */
  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop();
    await this.#running;
    await this.#ctx.store.releaseChannel(EMAIL, this.#holder).catch(() => {});
  }
}
