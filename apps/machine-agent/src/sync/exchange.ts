/**
 * Builds the next message to the coordinator, and handles its answers. The same over every transport.
 *
 * X1 Observations are sent in order and again after every reconnection, until they are acknowledged.
 * X2 A command is written to the journal before it is acknowledged.
 */
import type {
  HelloAnswer,
  ProfileSet,
  SyncAnswer,
  SyncRequest,
  UnreadCommand,
  CommandEnvelope,
} from '@drover/protocol';
import type { ConditionRead } from '../condition/condition.ts';
import type { Outbox } from '../store/outbox.ts';
import { SyncError } from './errors.ts';

/** Acknowledgements of one message; the protocol's limit is 1,000. */
const ACKS_MAX = 500;

interface ExchangeOptions {
  readonly outbox: Outbox;
  readonly agentEpoch: string;
  readonly hello: HelloAnswer;
  /** Revision of the profiles that this machine has. */
  readonly profilesRevision: () => number;
  /** Condition of the machine, and its clock; absent: it is not reported. */
  readonly condition?: (() => ConditionRead | null) | undefined;
  readonly now: () => number;
  /** Takes a newer set of profiles. */
  readonly onProfiles: (profiles: ProfileSet) => void;
  /** Takes a command: on return it is in the journal, if it has an id. */
  readonly receive: (command: CommandEnvelope | UnreadCommand) => void;
}

/** Exchange of one connection. */
export class Exchange {
  readonly #options: ExchangeOptions;
  readonly #acks = new Set<string>();
  #sentThrough = 0;
  #ackedThrough = 0;
  #toldCondition: ConditionRead | null = null;

  constructor(options: ExchangeOptions) {
    this.#options = options;
  }

  /** True while something was sent that the coordinator has not acknowledged. */
  get isWaiting(): boolean {
    return this.#sentThrough > this.#ackedThrough;
  }

  /** True when there is something new to send. */
  get hasNews(): boolean {
    return this.#acks.size > 0 || this.#options.outbox.hasAfter(this.#sentThrough);
  }

  /** Calls `listener` when there is something new to send. @returns a function that ends that. */
  onNews(listener: () => void): () => void {
    const { outbox } = this.#options;
    outbox.onAdded = listener;
    return () => (outbox.onAdded = () => {});
  }

  /** Builds the next message; without news it only says that the machine is there. */
  next(): SyncRequest {
    const acks = [...this.#acks].slice(0, ACKS_MAX);
    for (const id of acks) this.#acks.delete(id);
    const observations = [...this.#options.outbox.after(this.#sentThrough)];
    this.#sentThrough = observations.at(-1)?.seq ?? this.#sentThrough;
    const { agentEpoch, profilesRevision } = this.#options;
    return { agentEpoch, profilesRevision: profilesRevision(), acks, ...this.#condition(), observations };
  }

  /** Adds only a reading that this connection has not reported. A reading alone is no reason for a message. */
  #condition(): Pick<SyncRequest, 'condition'> {
    const { condition, now } = this.#options;
    const newest = condition?.() ?? null;
    if (newest === null || newest === this.#toldCondition) return {};
    this.#toldCondition = newest;
    return { condition: { ...newest, sentAt: now() } };
  }

  /** Takes back a message without an answer: its observations are sent again, and its acknowledgements, too: a command known twice is harmless. */
  notHeard(request: SyncRequest): void {
    for (const id of request.acks) this.#acks.add(id);
    if (request.condition !== undefined) this.#toldCondition = null;
    this.#sentThrough = this.#ackedThrough;
  }

  /** Handles an answer. @throws SyncError when this connection must end: its token has expired, or a newer hello has taken over. */
  heard(answer: SyncAnswer): void {
    const { outbox, receive, hello, onProfiles } = this.#options;
    if (!answer.registered) {
      if (answer.reason === 'revoked') {
        throw new SyncError('machine-revoked', 'The coordinator has ended this connection: this machine was revoked');
      }
      // The next hello tells whether the machine was forgotten or its token has expired.
      throw new SyncError('unauthorized', 'The coordinator no longer knows this connection');
    }
    if (answer.ackThrough > this.#ackedThrough) {
      outbox.acknowledged(answer.ackThrough);
      this.#ackedThrough = answer.ackThrough;
      this.#sentThrough = Math.max(this.#sentThrough, answer.ackThrough);
    }
    if (answer.profiles !== null) onProfiles(answer.profiles);
    for (const command of answer.commands) {
      receive(command);
      if (command.id !== null) this.#acks.add(command.id);
    }
    if (answer.epoch > hello.epoch) {
      throw new SyncError('taken-over', `Another hello raised the epoch from ${hello.epoch} to ${answer.epoch}`);
    }
  }
}
