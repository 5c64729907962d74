// Promises about the calls of people: how often a place is called, what an acknowledged answer and a default one leave, what cards show.
import { oncallAt } from '@drover/core';
import type { Oncall, OncallAsked } from '@drover/core';
import type { Delivery } from '@drover/protocol';
import type { DeliveryRow, EscalationRow } from '@drover/store';
import type { MemoryDatabase } from '@drover/store/testing';
import { makeCheck } from '../runs/tally.ts';
import type { Check, Tally } from '../runs/tally.ts';
import type { OutsideChecks } from './outside.ts';

const PROMISED = {
  called: 'an open question has a call, a reminder or a default answer to come, until all of its steps were done (X6)',
  stored: 'a press that is acknowledged is stored under its key (X1, X3)',
  once: 'a place is called once, and only where the plan of its question went on (X5)',
  over: 'a question that somebody answered or looks at calls no person, but for the reminder (X7)',
  shown: 'every known card shows the newest version once faults are over (X8)',
  answer: 'what is resolved has its answer on record, a default one too (X1, X9)',
} as const;

/** Watches one schedule. */
export class CallChecks {
  readonly #database: MemoryDatabase;
  readonly #tally: Tally;
  readonly #deliveries = new Map<string, DeliveryRow>();
  readonly #questions = new Map<string, EscalationRow>();
  /** Hears of the workers of a default answer. */
  onDefault: (workerIds: readonly string[]) => void = () => {};
  /** Checks of people and programs outside, in a schedule that has them. */
  outside: OutsideChecks | null = null;
  readonly #check: Check<typeof PROMISED>;

  constructor(database: MemoryDatabase, tally: Tally) {
    this.#database = database;
    this.#tally = tally;
    this.#check = makeCheck(this.#tally, PROMISED);
  }

  /** Checks every commit. */
  committed(): void {
    this.outside?.committed();
    const { deliveries, escalations } = this.#database;
    for (const [key, row] of deliveries) {
      const before = this.#deliveries.get(key);
      if (before === row) continue;
      this.#deliveries.set(key, row);
      this.#checkCalls(row, before);
    }
    for (const row of escalations.values()) {
      this.#checkToCome(row);
      if (this.#questions.get(row.id) === row) continue;
      this.#questions.set(row.id, row);
      this.#checkAnswer(row);
    }
  }

  /** X7, where a bot shows a card: what is over alarms no place. */
  alarmed({ shortId, status }: Pick<Delivery['card'], 'shortId' | 'status'>): void {
    this.#check('over', status === 'open' || status === 'acked', `a card of ${shortId} alarms while it is ${status}`);
  }

  /** Notes that somebody was told that this press counts. */
  acknowledged(
    requestId: string,
    { kind, escalation }: { readonly kind: 'answer' | 'ack'; readonly escalation: string },
  ): void {
    const kept = this.#database.responses.get(requestId);
    const isKept = kept?.kind === kind && kept.escalationId === escalation;
    this.#check('stored', isKept, `the press ${requestId} (${kind}) was acknowledged, and is not stored`);
  }

  /** Describes what a chat shows wrongly; null: nothing. */
  wrongCard(cards: ReadonlyMap<string, Delivery['card']>): string | null {
    for (const row of this.#database.deliveries.values()) {
      const question = this.#database.escalations.get(row.escalationId);
      if (question === undefined || row.isFinal || row.ref === null) continue;
      const shown = cards.get(row.ref)?.version ?? 0;
      if (shown !== question.version) return `a card of ${question.id} shows version ${shown} of ${question.version}`;
    }
    return null;
  }

  /** X8, when everything has come to rest and bots had their time. */
  checkCards(cards: ReadonlyMap<string, Delivery['card']>): void {
    const wrong = this.wrongCard(cards);
    this.#check('shown', wrong === null, wrong ?? '');
  }

  #checkCalls(row: DeliveryRow, before: DeliveryRow | undefined): void {
    const calls = row.pingsWanted - (before?.pingsWanted ?? 0);
    if (calls === 0) return;
    const [was, is] = [this.#questions.get(row.escalationId), this.#database.escalations.get(row.escalationId)];
    if (is === undefined) return;
    const place = `${row.channel}:${row.address}`;
    const goesOn = planOf(was?.oncall) !== planOf(is.oncall);
    this.#check(
      'once',
      calls === 1 && goesOn,
      `${is.id}: ${place} is called ${calls} time(s) at step ${is.oncall?.step}`,
    );
    const isReminder = was?.oncall?.remindAt != null && is.oncall?.remindAt === null;
    // Machines report in batches: a question can be asked, and be over, within one commit, and then its card comes quietly.
    const isAskedHere = (was?.asked ?? 0) < is.asked;
    const mayCall = is.status === 'open' || (is.status === 'acked' && isReminder) || isAskedHere;
    this.#check('over', mayCall, `${is.id}: ${place} is called while it is ${is.status}`);
  }

  #checkToCome({ id, oncall, severity, status }: EscalationRow): void {
    if (status !== 'open' && status !== 'acked') return;
    const isToCome = oncall !== null && isCallToCome(oncall, { status, severity, silencedUntil: null });
    const isArmed = this.#database.dueWork.has(`escalation ${id}`);
    this.#check('called', !isToCome || isArmed, `${id}: a call is to come, and nothing wakes it`);
    this.#check('called', oncall !== null, `${id}: no plan says when people are called`);
  }

  #checkAnswer({ id, status, resolution, members, dedupeKey }: EscalationRow): void {
    if (status !== 'resolved' || resolution === null) return;
    // The answer to a question of a run is an event of the run.
    const [kind, runId] = dedupeKey.split(':');
    if (kind === 'run')
      return this.#check(
        'answer',
        this.#hasRunAnswer(runId ?? '', resolution.option),
        `${id}: the run heard no answer`,
      );
    const kept = this.#database.responses.get(resolution.requestId);
    const isKept = kept?.escalationId === id && kept.kind === 'answer' && kept.option === resolution.option;
    this.#check('answer', isKept, `${id}: resolved by ${resolution.by}, and that answer is not on record`);
    if (resolution.by === 'the timeout') this.onDefault(members.map(({ workerId }) => workerId));
  }

  #hasRunAnswer(run: string, option: string): boolean {
    return [...this.#database.runEvents.values()].some(
      ({ runId, event }) => runId === run && event.kind === 'answered' && event.option === option,
    );
  }
}

/** Returns the parts of a plan that move when somebody is called. */
function planOf(oncall: Oncall | null | undefined): string {
  if (oncall == null) return '';
  const { step, beganAt, remindAt, watch } = oncall;
  return JSON.stringify([step, beganAt, remindAt, watch?.alarmAt]);
}

/** Tells whether anything comes by itself; the moment does not matter. */
function isCallToCome(oncall: Oncall, asked: OncallAsked): boolean {
  return oncallAt(oncall, asked, oncall.beganAt).dueAt !== null;
}
