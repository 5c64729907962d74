/**
 * What does the simulated machine agent keep on its disk? The journal and the buffer of the real one, in memory: they live
 * on when the agent dies.
 */
import type { OpResult } from '@drover/core';
import type { Observation, ObservationBody, QueryResult, WireCommand } from '@drover/protocol';

/** Numbers left out at each start of the agent, as the real one leaves out a million. */
const NUMBERS_SKIPPED = 1_000;

/** What is about to be done to the box, written down before it is done. */
export interface Notes {
  readonly incarnation: string;
  readonly text: string;
  readonly step: 'typing' | 'entering';
  /** Length of the transcript before. */
  readonly mark: number;
  readonly conversation: string;
  readonly wasBusy: boolean;
}

/** One order. */
export interface Entry {
  readonly order: WireCommand;
  state: 'received' | 'started' | 'done';
  notes: Notes | null;
  result: OpResult | QueryResult | null;
}

/** A machine's disk, as far as its agent uses it. */
export class MachineDisk {
  readonly agentEpoch: string;
  readonly journal = new Map<string, Entry>();
  /** The conversation of each life of a pane, and the true names of conversations. */
  readonly lives = new Map<string, string>();
  readonly names = new Map<string, string>();
  readonly exitsTold = new Set<string>();
  /** What each conversation was told, oldest first; written by the programs. */
  readonly transcripts = new Map<string, string[]>();
  outbox: Observation[] = [];
  onAdded: () => void = () => {};
  readonly #now: () => number;
  #lastSeq = 0;

  constructor(agentEpoch: string, now: () => number) {
    this.agentEpoch = agentEpoch;
    this.#now = now;
  }

  skipNumbers(): void {
    this.#lastSeq += NUMBERS_SKIPPED;
  }

  /** Adds an observation; of screens only the newest of each worker stays. */
  add(body: ObservationBody): void {
    if (body.kind === 'screen')
      this.outbox = this.outbox.filter((one) => one.body.kind !== 'screen' || one.body.workerId !== body.workerId);
    this.#lastSeq += 1;
    this.outbox.push({ seq: this.#lastSeq, at: this.#now(), body });
    this.onAdded();
  }

  acknowledged(through: number): void {
    this.outbox = this.outbox.filter(({ seq }) => seq > through);
  }

  receive(order: WireCommand): 'new' | 'known' | 'superseded' {
    if (this.journal.has(order.id)) return 'known';
    const newest = this.newestSeq(order.seat.workerId);
    this.journal.set(order.id, { order, state: 'received', notes: null, result: null });
    return order.order.kind === 'op' && order.order.seq < newest ? 'superseded' : 'new';
  }

  finish(order: WireCommand, result: OpResult | QueryResult): void {
    const entry = this.journal.get(order.id);
    if (entry === undefined) return;
    entry.state = 'done';
    entry.result = result;
    this.#tell(order, result);
  }

  answerAgain(id: string): void {
    const entry = this.journal.get(id);
    const waits = this.outbox.some(({ body }) => 'commandId' in body && body.commandId === id);
    if (entry?.result == null || waits) return;
    this.#tell(entry.order, entry.result);
  }

  unfinished(): readonly WireCommand[] {
    return [...this.journal.values()].filter(({ state }) => state !== 'done').map(({ order }) => order);
  }

  bySeq(workerId: string, seq: number): Entry | undefined {
    return this.#of(workerId).find(({ order }) => seqOf(order) === seq);
  }

  deliveryBefore(workerId: string, seq: number): Entry | undefined {
    const earlier = this.#of(workerId).filter(({ order }) => isDelivery(order) && seqOf(order) < seq);
    return earlier.toSorted((one, other) => seqOf(other.order) - seqOf(one.order))[0];
  }

  newestSeq(workerId: string): number {
    return Math.max(0, ...this.#of(workerId).map(({ order }) => seqOf(order)));
  }

  oldestSeq(workerId: string): number | null {
    const seqs = this.#of(workerId).map(({ order }) => seqOf(order));
    return seqs.length === 0 ? null : Math.min(...seqs);
  }

  #of(workerId: string): readonly Entry[] {
    return [...this.journal.values()].filter(
      ({ order }) => order.seat.workerId === workerId && order.order.kind === 'op',
    );
  }

  #tell({ id, order, seat }: WireCommand, result: OpResult | QueryResult): void {
    const { workerId } = seat;
    if (order.kind === 'op')
      this.add({ kind: 'result', workerId, commandId: id, seq: order.seq, result: result as OpResult });
    else this.add({ kind: 'answer', commandId: id, result: result as QueryResult });
  }
}

function seqOf({ order }: WireCommand): number {
  return order.kind === 'op' ? order.seq : 0;
}

function isDelivery({ order }: WireCommand): boolean {
  return order.kind === 'op' && order.op.kind === 'deliver';
}
