// A chat service, two bots that serve it, and a person who presses its buttons. With a chance of its own: all else comes as without.
import type { Actor, BotCall, Outcome } from '@drover/api';
import type { OncallPolicy } from '@drover/core';
import { DEFAULT_ONCALL } from '@drover/core';
import type { Delivery, PressOutcome, PressRequest } from '@drover/protocol';
import type { Store } from '@drover/store';
import { SeededRandom, VirtualIds } from '@drover/testkit';
import type { Checker } from '../promises/checker.ts';
import { askAny, PERSON, type PeopleParts } from './people.ts';
import { ENDS } from './recovery.ts';

export interface ChatParts extends PeopleParts {
  readonly checker: Checker;
  /** Notes that earlier words to this worker do not matter any more. */
  readonly dropped: (workerId: string) => void;
  /** Place of the chat; absent: the first place. */
  readonly place?: typeof PLACE | typeof SECOND_PLACE;
}

/** Schedules per schedule in which people are asked in a chat. */
const CHAT_EVERY = 5;
/** Schedules per schedule with a second chat, and people and programs outside. */
const OUTSIDE_EVERY = 25;
const PLACE = { channel: 'telegram', address: '7' } as const;
/** Second place where the same person is asked. */
export const SECOND_PLACE = { channel: 'slack', address: 'T1:U1' } as const;
const BOT: Actor = { ...PERSON, kind: 'bot', name: 'bot', role: 'operator', channels: ['telegram', 'slack'] };

/** Tells whether people are asked in a chat in the schedule of this seed. */
export function isInChat(seed: number): boolean {
  return seed % CHAT_EVERY === 2;
}

/** Tells whether there are a second chat, and people and programs outside, in the schedule of this seed, which has a chat. */
export function hasOutside(seed: number): boolean {
  return seed % OUTSIDE_EVERY === 12;
}

/** Returns how people are asked: soon, so that a schedule reaches reminders and default answers. */
export function chatPolicyOf(seed: number): OncallPolicy {
  const steps = [0, 8_000].map((afterMs) => ({ afterMs, notify: ['*'] }));
  const hasDefault = Math.floor(seed / CHAT_EVERY) % 2 === 0;
  const timeout = hasDefault ? ({ afterMs: 40_000, answer: 'skip' } as const) : null;
  return { ...DEFAULT_ONCALL, steps, ackReminderMs: 20_000, timeout };
}

/** Links the person, before anything is asked. */
export async function linkChat(
  store: Store,
  { uuid, now, seed }: { uuid: () => string; now: number; seed: number },
): Promise<void> {
  const id = uuid();
  const places = hasOutside(seed) ? [PLACE, SECOND_PLACE] : [PLACE];
  await store.transaction(async (tx) => {
    await tx.insertPerson({ id, name: 'ada', role: 'operator', projectId: null, createdAt: now });
    for (const place of places) {
      await tx.saveIdentity({ channel: place.channel, subject: place.address, personId: id, linkedAt: now });
      await tx.savePlace({ ...place, personId: id, projectId: null, createdAt: now });
    }
  });
}

export class Chat {
  readonly #parts: ChatParts;
  readonly #random: SeededRandom;
  readonly #ids: VirtualIds;
  readonly #place: typeof PLACE | typeof SECOND_PLACE;
  readonly #call: BotCall;
  /** Cards that the services show, by the names that they gave. */
  readonly cards: Map<string, Delivery['card']>;

  /** @param cards Of another service of the same schedule. */
  constructor(parts: ChatParts, cards = new Map<string, Delivery['card']>()) {
    this.#parts = parts;
    this.cards = cards;
    this.#place = parts.place ?? PLACE;
    this.#call = { channel: this.#place.channel, by: BOT };
    const isFirst = this.#place === PLACE;
    this.#random = new SeededRandom(parts.seed * 15_485_863 + (isFirst ? 11 : 17));
    this.#ids = new VirtualIds(parts.time.now, isFirst ? 0xcab : 0xcac);
  }

  /** Bots work until the schedule ends; people press until they go away. */
  live(): void {
    for (const name of ['one', 'other']) void this.#serve(name);
    void this.#press();
  }

  async #serve(name: string): Promise<void> {
    const { time, replicas, isAway } = this.#parts;
    for (let life = 0; ;) {
      await time.sleep(this.#random.int(100, 1_500));
      // A bot that is killed is another process afterwards; what it had in hand is not reported.
      if (!isAway() && this.#random.chance(0.03)) life += 1;
      const holder = `${name}-${life}`;
      const work = await askAny(this.#parts.replicas, this.#random, ({ fleet }) =>
        fleet.channelWork(this.#call, { holder, waitMs: 0 }, undefined),
      );
      if (work?.kind !== 'work') continue;
      for (const delivery of work.deliveries) {
        const report = this.#show(delivery, holder);
        if (report === null) break;
        const send = this.#random.pick(replicas);
        await send
          .serve(({ fleet }) => fleet.reportDelivery(this.#call, delivery.card.escalation, report))
          .catch(() => undefined);
      }
    }
  }

  /** @returns what the bot reports; null: it was killed behind the call to the service. */
  #show({ address, ref, card, ping, pings }: Delivery, holder: string) {
    const { tally, checker, isAway } = this.#parts;
    if (ping) checker.calls.alarmed(card);
    checker.calls.outside?.shown(card);
    const dice = isAway() ? 1 : this.#random.next();
    const failed = { kind: 'failed', holder, address, error: 'too many requests', isFinal: false } as const;
    if (dice < 0.1) return { ...failed, retryAfterMs: this.#random.int(500, 5_000) };
    const shown = ref ?? this.#ids.uuid();
    this.cards.set(shown, card);
    tally.log(`CHAT shows ${card.shortId} asked ${card.asked} version ${card.version} (${card.status})`);
    // Killed, or the service did it and its answer was lost.
    if (dice < 0.15) return null;
    if (dice < 0.2) return { ...failed, retryAfterMs: 500 };
    return { kind: 'shown', holder, address, version: card.version, ref: shown, pings } as const;
  }

  async #press(): Promise<void> {
    const { time, isAway } = this.#parts;
    while (!isAway()) {
      await time.sleep(this.#random.int(500, 9_000));
      const waiting = [...this.cards.values()].filter(({ status }) => status === 'open' || status === 'acked');
      if (!isAway() && waiting.length > 0) await this.#pressOne(this.#random.pick(waiting));
    }
  }

  async #pressOne({ escalation, shortId, asked, options }: Delivery['card']): Promise<void> {
    const { time, isAway } = this.#parts;
    const option = this.#random.int(0, Math.max(0, options.length - 1));
    const isAck = options.length === 0 || this.#random.chance(0.3);
    const request: PressRequest = {
      key: this.#ids.uuid(),
      subject: this.#place.address,
      button: isAck ? { kind: 'ack', escalation } : { kind: 'answer', escalation, asked, option },
      ...(options[option]?.needsText === true && { text: 'rather so' }),
    };
    this.#parts.tally.log(`CHAT press ${shortId} asked ${asked} option ${option}`);
    // The service delivers a press until it is confirmed, and now and then once more.
    for (let delivered = 0; delivered < 8; delivered += 1) {
      this.#drop(request);
      const outcome = await askAny(this.#parts.replicas, this.#random, ({ fleet }) => fleet.press(this.#call, request));
      this.#drop(request);
      if (outcome !== null) this.#judge(request, outcome);
      if (outcome !== null && this.#random.chance(0.7)) return;
      if (isAway() && outcome !== null) return;
      await time.sleep(this.#random.int(200, 4_000));
    }
  }

  /** Counts words that an answer ends as ended from before the answer was given until it was replied to. */
  #drop({ button }: PressRequest): void {
    if (button.kind !== 'answer') return;
    const row = this.#parts.database.escalations.get(button.escalation);
    const isEnd = ENDS.has(row?.question.options[button.option]?.id ?? '');
    if (isEnd) for (const { workerId } of row?.members ?? []) this.#parts.dropped(workerId);
  }

  #judge({ key, button }: PressRequest, outcome: PressOutcome): void {
    const { checker } = this.#parts;
    if (button.kind === 'accept') return;
    if (outcome.kind === 'accepted') checker.calls.acknowledged(key, button);
    if (button.kind === 'ack') return;
    checker.replied(key, replyOf(outcome, { id: button.escalation, asked: button.asked }));
  }
}

/** Turns an outcome into the reply of a terminal: of presses and answers at terminals one wins. X2, X3. */
function replyOf(outcome: PressOutcome, value: { readonly id: string; readonly asked: number }): Outcome<unknown> {
  if (outcome.kind === 'accepted') return { kind: 'ok', value };
  return { kind: 'refused', code: outcome.kind === 'over' ? 'over' : 'invalid', message: '' };
}
