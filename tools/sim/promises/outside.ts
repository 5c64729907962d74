// Promises to those outside: who may not answer changes nothing, each request is in the audit, the feed and webhooks tell everything once it
// is settled, and nothing that a pane hides leaves.
import type { AnnouncementView } from '@drover/api';
import type { Delivery, PressOutcome } from '@drover/protocol';
import type { EscalationResponse } from '@drover/store';
import type { MemoryDatabase } from '@drover/store/testing';
import { makeCheck } from '../runs/tally.ts';
import type { Check, Tally } from '../runs/tally.ts';

const PROMISED = {
  scope: 'who is not linked changes nothing by a press (X10)',
  audit: 'each request of a person about a question has its row of the audit in the same transaction (X11)',
  feed: 'a reader of the feed misses nothing and hears nothing twice (X12)',
  hook: 'each event for a webhook was taken, or waits for its next try, or is visibly dead (X13)',
  leak: 'no secret and no control sequence of a pane leaves (X14)',
} as const;

/** Secrets that panes of the simulation print among other things. */
const SECRET = /ghp_[A-Za-z0-9]{10}/u;
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/u;

/** A call that waits longer than this after its time is not visibly on its way, in milliseconds. */
const OVERDUE_MS = 60_000;

/** Page that a reader of the feed has kept. */
export interface ReadPage {
  /** Cursor that the page began after; null: it began here. */
  readonly from: string | null;
  readonly items: readonly Pick<AnnouncementView, 'cursor'>[];
  readonly next: string;
}

/** Watches one schedule. */
export class OutsideChecks {
  readonly #database: MemoryDatabase;
  readonly #tally: Tally;
  readonly #responses = new Set<string>();
  readonly #audit = new Set<string>();
  readonly #intruders = new Set<string>();
  readonly #taken = new Set<string>();
  #heard: number[] = [];
  #began = 0;
  #through = 0;
  readonly #check: Check<typeof PROMISED>;

  constructor(database: MemoryDatabase, tally: Tally) {
    this.#database = database;
    this.#tally = tally;
    this.#check = makeCheck(this.#tally, PROMISED);
  }

  /** Checks every commit. X11. */
  committed(): void {
    const { audit, responses } = this.#database;
    const rows = newOf(audit, this.#audit).map(({ body }) => body);
    for (const response of newOf(responses, this.#responses)) {
      const { requestId, actor } = response;
      if (actor.kind === 'policy') continue;
      const named = markOf(response);
      const isThere = named === null || rows.some((body) => body.includes(named));
      this.#check('audit', isThere, `the request ${requestId} (${response.kind}) has no row of the audit`);
    }
  }

  /** X10. `kind`: what the stranger was told; null: nothing. */
  intruded(key: string, kind: PressOutcome['kind'] | null): void {
    this.#intruders.add(key);
    const isRefused = kind === null || kind === 'not-allowed';
    const isKept = [...this.#intruders].some((one) => this.#database.responses.has(one));
    this.#check('scope', isRefused && !isKept, `the press ${key} of a stranger was told ${kind}, kept: ${isKept}`);
  }

  /** X14, where a bot shows a card. */
  shown(card: Delivery['card']): void {
    this.#checkLeak(card, `the card ${card.shortId}`);
  }

  /** X13, X14: the endpoint has taken this. */
  called(cursor: string, body: string): void {
    this.#taken.add(cursor);
    this.#checkLeak(JSON.parse(body), `the call of ${cursor}`);
  }

  lost(message: string): void {
    this.#check('feed', false, `the reader lost its place: ${message}`);
  }

  read({ from, items, next }: ReadPage): void {
    // The first page is empty, or begins with what came while it was waited for.
    if (from === null) this.#began = Number(items[0]?.cursor ?? Number(next) + 1) - 1;
    this.#heard.push(...items.map(({ cursor }) => Number(cursor)));
    this.#through = Number(next);
    for (const item of items) this.#checkLeak(item, `the event ${item.cursor}`);
  }

  /** Tells whether the reader is at the end, and the webhook has nothing that is due. */
  get isAtEnd(): boolean {
    const last = Math.max(0, ...this.#database.announcements.keys());
    return this.#through >= last && this.#wrongCall() === null;
  }

  /** X12, X13, when everything has come to rest and both had their time. */
  end(): void {
    const expected = [...this.#database.announcements.keys()]
      .filter((id) => id > this.#began)
      .toSorted((one, other) => one - other);
    const isSame = expected.length === this.#heard.length && expected.every((id, at) => id === this.#heard[at]);
    this.#check(
      'feed',
      isSame,
      `of ${expected.length} events a reader heard ${this.#heard.length}, or in another order`,
    );
    const wrong = this.#wrongCall();
    this.#check('hook', wrong === null, wrong ?? '');
  }

  #wrongCall(): string | null {
    const { webhookEndpoints, webhookDeliveries, announcements, now } = this.#database;
    const [endpoint] = webhookEndpoints.values();
    if (endpoint === undefined) return null;
    const noted = new Map([...webhookDeliveries.values()].map((row) => [row.announcementId, row]));
    const first = Math.min(...[...noted.keys()].map((id) => id ?? Infinity));
    for (const { id, type } of announcements.values()) {
      if (id < first || !type.startsWith('escalation.')) continue;
      const row = noted.get(id);
      if (row === undefined) return `the event ${id} has no call`;
      if (row.state === 'delivered' && !this.#taken.has(String(id)))
        return `the event ${id} counts as taken, and was not`;
      if (row.state === 'waiting' && (row.nextAt ?? 0) < now() - OVERDUE_MS)
        return `the call of the event ${id} is overdue`;
    }
    return null;
  }

  #checkLeak(value: unknown, what: string): void {
    const texts = stringsIn(value);
    const bad = texts.find((text) => SECRET.test(text) || CONTROL.test(text));
    this.#check('leak', bad === undefined, `${what} says ${JSON.stringify(bad)}`);
  }
}

/** Returns what the audit must say of a request; null: nothing, for it changed nothing. */
function markOf({ kind, requestId, escalationId, reply }: EscalationResponse): string | null {
  if (kind !== 'answer') return JSON.stringify(`escalation ${escalationId}`);
  const isOk = typeof reply === 'object' && reply !== null && 'kind' in reply && reply.kind === 'ok';
  return isOk ? JSON.stringify(requestId) : null;
}

/** Rows that were not there before, by their keys. */
function newOf<V>(table: Iterable<readonly [string, V]>, known: Set<string>): readonly V[] {
  const fresh: V[] = [];
  for (const [key, row] of table) {
    if (known.has(key)) continue;
    known.add(key);
    fresh.push(row);
  }
  return fresh;
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
