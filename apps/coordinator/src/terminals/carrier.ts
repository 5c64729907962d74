/**
 * Carries messages of a terminal to another replica, by notifications of the database: a person and a machine may be connected to
 * different replicas, and replicas know no addresses of one another (docs/adr/0010). A message is cut into texts that fit. The texts
 * arrive in order or not at all; a missing text ends the terminal, and the person's program opens a new one.
 */
import { CARRIED_BYTES_MAX } from '@drover/store';
import { z } from 'zod';

/** Bytes of a text besides its piece of a message. */
const HEADER_BYTES_MAX = 300;
/** Characters of a piece: no character takes more than three bytes. */
const PIECE_CHARS_MAX = Math.floor((CARRIED_BYTES_MAX - HEADER_BYTES_MAX) / 3);
/** Characters of a joined message: no end sends a larger one. */
const MESSAGE_CHARS_MAX = 2 * 1_048_576;

/** Receiving end of a message. */
export type Side = 'person' | 'machine';

/** Terminal and end that a message is for, and the replica that it comes from. */
export interface Route {
  readonly terminal: string;
  readonly to: Side;
  readonly from: string;
}

const header = z.tuple([
  z.uuid(),
  z.enum(['person', 'machine']),
  z.string().max(64),
  z.number().int(),
  z.enum(['part', 'end', 'close']),
]);

/** A text as it arrived. `close`: the other end is gone, and `piece` says why. */
export interface Carried extends Route {
  readonly number: number;
  readonly what: 'part' | 'end' | 'close';
  readonly piece: string;
}

/** Cuts messages for one end, and counts the texts. */
export class Cutter {
  readonly #route: Route;
  #number = 0;

  constructor(route: Route) {
    this.#route = route;
  }

  /** Cuts one message into texts. */
  cut(message: string): readonly string[] {
    const pieces: string[] = [];
    for (let at = 0; at < message.length || pieces.length === 0;) {
      const end = endOfPiece(message, at);
      pieces.push(message.slice(at, end));
      at = end;
    }
    return pieces.map((piece, index) => this.#text(index === pieces.length - 1 ? 'end' : 'part', piece));
  }

  /** Builds the text that says that this end is gone. */
  close(why: string): string {
    return this.#text('close', why.slice(0, 200));
  }

  #text(what: Carried['what'], piece: string): string {
    const { terminal, to, from } = this.#route;
    this.#number += 1;
    return `${JSON.stringify([terminal, to, from, this.#number, what])}\n${piece}`;
  }
}

/** Finds the end of a piece without splitting a character in half. */
function endOfPiece(message: string, at: number): number {
  const end = Math.min(message.length, at + PIECE_CHARS_MAX);
  const last = message.charCodeAt(end - 1);
  return end < message.length && last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}

/** @returns null for a text that no replica of this build sends. */
export function readCarried(text: string): Carried | null {
  const at = text.indexOf('\n');
  if (at === -1) return null;
  try {
    const [terminal, to, from, number, what] = header.parse(JSON.parse(text.slice(0, at)));
    return { terminal, to, from, number, what, piece: text.slice(at + 1) };
  } catch {
    return null;
  }
}

/** Joins the messages of one end. */
export class Joiner {
  #number = 0;
  #pieces: string[] = [];
  #chars = 0;

  /** @returns the complete message; null: incomplete; `torn`: a text is missing, and no later message can be trusted. */
  join({ number, what, piece }: Carried): { readonly message: string } | 'torn' | null {
    this.#number += 1;
    this.#chars += piece.length;
    if (number !== this.#number || this.#chars > MESSAGE_CHARS_MAX) return 'torn';
    this.#pieces.push(piece);
    if (what === 'part') return null;
    const message = this.#pieces.join('');
    this.#pieces = [];
    this.#chars = 0;
    return { message };
  }
}
