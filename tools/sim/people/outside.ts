// Simulates outsiders of the fleet: somebody who may not answer and presses all the same, a program that follows the feed, and one that is
// called by a webhook. Outsiders draw from a chance of their own.
import type { Actor, BotCall } from '@drover/api';
import { Sender, webhookLane } from '@drover/coordinator/testing';
import { SeededRandom, VirtualIds } from '@drover/testkit';
import type { OutsideChecks } from '../promises/outside.ts';
import type { Chat, ChatParts } from './chat.ts';
import { askAny, PERSON } from './people.ts';

/** Identity that no one has linked. */
const STRANGER = '666';
const BOT: Actor = { ...PERSON, kind: 'bot', name: 'bot', role: 'operator', channels: ['telegram'] };
const CALL: BotCall = { channel: 'telegram', by: BOT };
const HOOK = { name: 'hook', url: 'https://hook.example/', types: ['escalation'], format: 'standard' } as const;
/** A page of the feed. */
const PAGE = 20;

/** Parts that outsiders need beside those of a chat. */
export interface OutsideParts extends Omit<ChatParts, 'dropped'> {
  readonly chat: Chat;
  readonly checks: OutsideChecks;
}

export class Outside {
  readonly #parts: OutsideParts;
  readonly #random: SeededRandom;
  readonly #ids: VirtualIds;

  constructor(parts: OutsideParts) {
    this.#parts = parts;
    this.#random = new SeededRandom(parts.seed * 32_452_843 + 5);
    this.#ids = new VirtualIds(parts.time.now, 0xbad);
  }

  /** Keeps outsiders going until the schedule ends; the stranger stops when people go away. */
  live(): void {
    void this.#intrude();
    void this.#follow();
    void this.#hook();
  }

  async #intrude(): Promise<void> {
    const { time, isAway, chat, checks } = this.#parts;
    while (!isAway()) {
      await time.sleep(this.#random.int(500, 5_000));
      const waiting = [...chat.cards.values()].filter(({ status }) => status === 'open' || status === 'acked');
      if (isAway() || waiting.length === 0) continue;
      const { escalation, asked } = this.#random.pick(waiting);
      const button = this.#random.chance(0.5)
        ? ({ kind: 'ack', escalation } as const)
        : ({ kind: 'answer', escalation, asked, option: 0 } as const);
      const request = { key: this.#ids.uuid(), subject: STRANGER, button };
      const outcome = await askAny(this.#parts.replicas, this.#random, ({ fleet }) => fleet.press(CALL, request));
      checks.intruded(request.key, outcome?.kind ?? null);
    }
  }

  /** Reads page after page; a process that is killed forgets the page, and goes on where it was before. */
  async #follow(): Promise<void> {
    const { time, checks, isAway } = this.#parts;
    let after: string | undefined;
    for (;;) {
      await time.sleep(this.#random.int(200, 4_000));
      const input = { after, types: undefined, waitMs: 0, limit: PAGE };
      const page = await askAny(this.#parts.replicas, this.#random, ({ fleet }) =>
        fleet.feed(input, PERSON, new AbortController().signal),
      );
      if (page === null || (!isAway() && this.#random.chance(0.1))) continue;
      if (page.kind === 'refused') return checks.lost(page.message);
      checks.read({ from: after ?? null, items: page.value.items, next: page.value.next });
      after = page.value.next;
    }
  }

  /** Each round is of another process, which may be killed in the middle. */
  async #hook(): Promise<void> {
    const { time } = this.#parts;
    let isThere = false;
    while (!isThere) {
      await time.sleep(1_000);
      const added = await askAny(this.#parts.replicas, this.#random, ({ fleet }) =>
        fleet.addWebhook({ ...HOOK, types: [...HOOK.types] }, PERSON),
      );
      isThere = added !== null && (added.kind === 'ok' || added.code === 'name-taken');
    }
    for (;;) {
      await time.sleep(this.#random.int(1_000, 4_000));
      await askAny(this.#parts.replicas, this.#random, ({ ctx }) => {
        const parts = { allowed: [], send: (message: Sent) => this.#receive(message) };
        return new Sender(ctx, webhookLane(ctx, parts)).round();
      });
    }
  }

  /** Handles a call at the endpoint. */
  async #receive({ body }: Sent) {
    const { checks, isAway } = this.#parts;
    const dice = isAway() ? 1 : this.#random.next();
    const failed = { kind: 'failed', error: 'connection reset' } as const;
    if (dice < 0.1) return failed;
    const { data } = JSON.parse(body) as { readonly data: { readonly cursor: string } };
    checks.called(data.cursor, body);
    // The endpoint has taken the call, and its answer is lost.
    if (dice < 0.2) return failed;
    return { kind: 'answered', status: dice < 0.3 ? 503 : 204, retryAfterMs: null } as const;
  }
}

interface Sent {
  readonly body: string;
}
