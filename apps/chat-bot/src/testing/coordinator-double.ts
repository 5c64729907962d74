/** Doubles the coordinator's `/v1/channels` in memory, as small as the tests of channels allow: cards with versions, and presses by their keys. */
import type { Card, Delivery, DeliveryReport, PressOutcome, PressRequest, WorkAnswer } from '@drover/protocol/channels';
import { CallError } from '../coordinator/client.ts';
import type { Coordinator } from '../coordinator/client.ts';

interface Place {
  card: Card;
  shown: number;
  ref: string | null;
  pings: number;
  given: number;
  inHand: boolean;
}

/** Trouble of a call: nothing is done; or it is done, and the answer is lost. */
type Trouble = 'away' | 'answer-lost';

/** Makes a question for tests. */
export function testCard(patch: Partial<Card> = {}): Card {
  return {
    escalation: '01900000-0000-7000-9000-000000000001',
    shortId: '00000001',
    version: 1,
    asked: 1,
    status: 'open',
    severity: 'error',
    worker: 'adam',
    workers: 1,
    project: 'shop',
    machine: 'laptop',
    title: 'May it run rm?',
    body: 'It wants to run a command.',
    pane: ['$ rm -rf build'],
    options: [
      { label: 'Yes', needsText: false },
      { label: 'No, tell it', needsText: true },
    ],
    resolution: null,
    application: null,
    ackedBy: null,
    createdAt: 1,
    ...patch,
  };
}

/** Holds one question at one place. */
export class CoordinatorDouble implements Coordinator {
  readonly presses: PressRequest[] = [];
  readonly said: string[] = [];
  readonly reports: DeliveryReport[] = [];
  readonly troubles: Trouble[] = [];
  /** True if another process has the work. */
  isTaken = false;
  #address: string;
  readonly #replies = new Map<string, PressOutcome>();
  #place: Place | null = null;
  #wake: () => void = () => {};

  constructor(address: string) {
    this.#address = address;
  }

  /** Asks a question, or changes it. `isPing`: people are alarmed. */
  show(card: Card, isPing = true): void {
    const before = this.#place ?? { shown: 0, ref: null, pings: 0, given: 0, inHand: false };
    this.#place = { ...before, card, pings: before.pings + (isPing ? 1 : 0) };
    this.#wake();
  }

  get card(): Card {
    if (this.#place === null) throw new Error('nothing is asked');
    return this.#place.card;
  }

  /** Loses the report, as if the bot died after the post: the card is asked for again. */
  forget(): void {
    if (this.#place !== null) Object.assign(this.#place, { shown: 0, ref: null, inHand: false, given: 0 });
    this.#wake();
  }

  async work(waitSecs: number, signal: AbortSignal): Promise<WorkAnswer> {
    this.#meet('away');
    for (let rounds = 0; ; rounds += 1) {
      const due = this.isTaken ? null : this.#due();
      if (due !== null) return { kind: 'work', deliveries: [due] };
      if (waitSecs === 0 || signal.aborted || rounds > 0)
        return this.isTaken ? { kind: 'stand-by' } : { kind: 'work', deliveries: [] };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        signal.addEventListener('abort', () => resolve());
      });
    }
  }

  /** Ends a waiting call for work. */
  wake(): void {
    this.#wake();
  }

  #due(): Delivery | null {
    const place = this.#place;
    if (place === null || place.inHand) return null;
    if (place.shown >= place.card.version && place.given >= place.pings) return null;
    if (place.shown === 0 && place.card.status !== 'open') return null;
    place.inHand = true;
    return {
      address: this.#address,
      ref: place.ref,
      ping: place.given < place.pings,
      pings: place.pings,
      card: place.card,
    };
  }

  async report(_escalation: string, report: DeliveryReport): Promise<void> {
    this.reports.push(report);
    if (this.#place === null) return;
    const { pings } = this.#place;
    Object.assign(this.#place, { inHand: false });
    if (report.kind === 'shown')
      Object.assign(this.#place, { shown: report.version, ref: report.ref, given: report.pings });
    // A final failure is not sent again; any other failure is, at once, because no test waits.
    else if (report.isFinal) Object.assign(this.#place, { shown: this.#place.card.version, given: pings });
    this.#wake();
  }

  async press(request: PressRequest): Promise<PressOutcome> {
    this.#meet('away');
    const known = this.#replies.get(request.key);
    const reply = known ?? this.#answer(request);
    if (known === undefined) this.#replies.set(request.key, reply);
    this.#meet('answer-lost');
    return reply;
  }

  #answer(request: PressRequest): PressOutcome {
    const { button, text, subject } = request;
    if (subject === 'stranger') return { kind: 'not-allowed', says: 'I do not know you yet.' };
    if (button.kind !== 'answer') {
      this.presses.push(request);
      return { kind: 'accepted', says: 'Noted.', card: null };
    }
    const { card } = this;
    const option = card.options[button.option];
    if (card.status === 'open' && option?.needsText === true && text === undefined)
      return { kind: 'needs-text', says: `Write the text for "${option.label}".`, card };
    this.presses.push(request);
    if (card.resolution !== null)
      return { kind: 'over', says: `${card.resolution.by} already chose "${card.resolution.label}".`, card };
    if (button.asked !== card.asked)
      return { kind: 'over', says: `The screen changed; the question is now: ${card.title}`, card };
    const resolution = { by: 'ada', label: option?.label ?? '' };
    this.show({ ...card, version: card.version + 1, status: 'resolved', resolution, application: 'applied' }, false);
    return { kind: 'accepted', says: `Your answer counts: "${resolution.label}".`, card: this.card };
  }

  async link({ code, subject, address }: Parameters<Coordinator['link']>[0]): ReturnType<Coordinator['link']> {
    this.#meet('away');
    this.said.push(`link ${subject} ${address} ${code}`);
    return { isDone: true, says: 'Welcome, ada (operator).', buttons: [] };
  }

  async command({ words, subject, key }: Parameters<Coordinator['command']>[0]): ReturnType<Coordinator['command']> {
    this.#meet('away');
    this.said.push(`command ${subject} ${words} ${key}`);
    const accept = { kind: 'accept', worker: 'adam', head: 'abcdef0123456789' } as const;
    return { isDone: true, says: `You said: ${words}`, buttons: [{ label: 'Accept abcdef012', button: accept }] };
  }

  async move({ from, to }: Parameters<Coordinator['move']>[0]): ReturnType<Coordinator['move']> {
    this.#meet('away');
    this.said.push(`move ${from} ${to}`);
    if (from !== this.#address) return;
    this.#address = to;
    if (this.#place !== null) Object.assign(this.#place, { shown: 0, ref: null, inHand: false });
    this.#wake();
  }

  async release(): Promise<void> {
    this.isTaken = false;
  }

  #meet(trouble: Trouble): void {
    if (this.troubles[0] !== trouble) return;
    this.troubles.shift();
    throw new CallError('away', `The coordinator is away (${trouble})`);
  }
}
