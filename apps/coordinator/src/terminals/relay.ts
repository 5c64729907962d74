/**
 * Connects the two ends of a terminal: in this process, or one of them at another replica. Keeps no message: an end that cannot take a
 * message ends the terminal. Both ends keep little in flight (`FRAMES_AHEAD_MAX` of the protocol).
 */
import type { Log } from '@drover/base';
import { invariant } from '@drover/core';
import type { Store } from '@drover/store';
import { Cutter, Joiner, readCarried, type Side } from './carrier.ts';

/** Characters that may wait to be carried to another replica: more than any screen. */
const WAITING_CHARS_MAX = 2 * 1_048_576;

/** A connection at this replica. */
export interface End {
  /** Takes a message of the other end. */
  take(message: string): void;
  /** Tells this end that the other end is gone. */
  otherGone(why: string): void;
}

/** Operations of an end. */
export interface Connection {
  /** Sends a message. A message to an end that has not connected yet is dropped: the client sends nothing before the first screen. */
  send(message: string): void;
  /** Disconnects this end. Safe to repeat. */
  leave(why: string): void;
}

interface RelayParts {
  /** Name of this replica: letters and digits. */
  readonly replica: string;
  readonly store: Pick<Store, 'carry'>;
  readonly log: Log;
}

/** Terminals of one replica. */
export class Relay {
  readonly #parts: RelayParts;
  readonly #ends = new Map<string, LocalEnd>();

  constructor(parts: RelayParts) {
    this.#parts = parts;
  }

  get replica(): string {
    return this.#parts.replica;
  }

  /** Adds a person who waits here for the machine. */
  addPerson(terminal: string, end: End): Connection {
    return this.#add(terminal, { side: 'person', end });
  }

  /** Adds a machine for a person who waits at a replica. @returns null when that is this replica, and no person waits. */
  addMachine(terminal: string, end: End, personAt: string): Connection | null {
    const isHere = personAt === this.#parts.replica;
    const person = this.#ends.get(keyOf(terminal, 'person'));
    if (isHere && person === undefined) return null;
    const machine = this.#add(terminal, { side: 'machine', end });
    if (person !== undefined && isHere) {
      machine.meet(person);
      person.meet(machine);
    } else machine.meetAt(personAt);
    return machine;
  }

  /** Takes a text that another replica has carried here. */
  heard(text: string): void {
    const carried = readCarried(text);
    if (carried !== null) this.#ends.get(keyOf(carried.terminal, carried.to))?.hear(carried);
  }

  #add(terminal: string, { side, end }: { readonly side: Side; readonly end: End }): LocalEnd {
    const key = keyOf(terminal, side);
    invariant(!this.#ends.has(key), `Two ends of one side for the terminal ${terminal}`);
    const own: LocalEnd = new LocalEnd({
      ...this.#parts,
      terminal,
      side,
      end,
      onLeft: () => void this.#ends.delete(key),
    });
    this.#ends.set(key, own);
    return own;
  }
}

function keyOf(terminal: string, side: Side): string {
  return `${terminal} ${side}`;
}

interface LocalEndParts extends RelayParts {
  readonly terminal: string;
  readonly side: Side;
  readonly end: End;
  readonly onLeft: () => void;
}

/** Place of the other end. */
type Other =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'here'; readonly end: LocalEnd }
  | { readonly kind: 'there'; readonly replica: string; readonly cutter: Cutter };

class LocalEnd implements Connection {
  readonly #parts: LocalEndParts;
  readonly #joiner = new Joiner();
  #other: Other = { kind: 'unknown' };
  #hasLeft = false;
  #waitingChars = 0;
  #carrying: Promise<void> = Promise.resolve();

  constructor(parts: LocalEndParts) {
    this.#parts = parts;
  }

  meet(end: LocalEnd): void {
    this.#other = { kind: 'here', end };
  }

  meetAt(replica: string): void {
    const { terminal, side, replica: from } = this.#parts;
    const cutter = new Cutter({ terminal, to: side === 'person' ? 'machine' : 'person', from });
    this.#other = { kind: 'there', replica, cutter };
  }

  send(message: string): void {
    const other = this.#other;
    if (this.#hasLeft || other.kind === 'unknown') return;
    if (other.kind === 'here') other.end.#parts.end.take(message);
    else if (this.#waitingChars > WAITING_CHARS_MAX) this.#lose('the database does not transfer it fast enough');
    else this.#carry(other.replica, other.cutter.cut(message));
  }

  leave(why: string): void {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    this.#parts.onLeft();
    const other = this.#other;
    if (other.kind === 'here') other.end.#gone(why);
    if (other.kind === 'there') this.#carry(other.replica, [other.cutter.close(why)]);
  }

  /** Takes a carried text. The first one tells where the other end is. */
  hear(carried: NonNullable<ReturnType<typeof readCarried>>): void {
    if (this.#other.kind === 'unknown') this.meetAt(carried.from);
    if (this.#other.kind !== 'there' || this.#other.replica !== carried.from) return;
    const joined = this.#joiner.join(carried);
    if (joined === 'torn') this.#lose('a message was lost between two replicas');
    else if (carried.what === 'close') this.#gone(carried.piece);
    else if (joined !== null) this.#parts.end.take(joined.message);
  }

  /** Carries texts one after the other: two at once could overtake each other. */
  #carry(replica: string, texts: readonly string[]): void {
    const chars = texts.reduce((sum, text) => sum + text.length, 0);
    this.#waitingChars += chars;
    this.#carrying = this.#carrying
      .then(() => this.#parts.store.carry(replica, texts))
      .catch((error: unknown) => {
        this.#parts.log('debug', `Cannot transfer a message of a terminal: ${String(error)}`);
        this.#lose('the database did not transfer it');
      })
      .finally(() => (this.#waitingChars -= chars));
  }

  /** Ends the terminal and tells both ends why. */
  #lose(why: string): void {
    if (this.#hasLeft) return;
    this.leave(why);
    this.#parts.end.otherGone(why);
  }

  #gone(why: string): void {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    this.#parts.onLeft();
    this.#parts.end.otherGone(why);
  }
}
