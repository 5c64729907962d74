/**
 * Carries messages of a terminal to another replica, by notifications of the database: a person and a machine are where their
 * connections happened to come, and replicas know no addresses of one another (docs/adr/0010). A message is cut into texts that fit. They
 * come in their order or not at all; one that is missing ends the terminal, and the person's program opens a new one.
 */
import { CARRIED_BYTES_MAX } from '@drover/store';
import { z } from 'zod';

/** Bytes of a text beside the piece of a message in it. */
const HEADER_BYTES_MAX = 300;
/** Characters of a piece: none takes more than three bytes. */
const PIECE_CHARS_MAX = Math.floor((CARRIED_BYTES_MAX - HEADER_BYTES_MAX) / 3);
/** Characters of a message that is put together: no end sends a larger one. */
const MESSAGE_CHARS_MAX = 2 * 1_048_576;

/** Which end a message is for. */
export type Side = 'person' | 'machine';

/** To which end of which terminal, and from which replica. */
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

/** A text as it came. `close`: the other end is gone, and `piece` says why. */
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

  /** The texts of one message. */
  cut(message: string): readonly string[] {
    const pieces: string[] = [];
    for (let at = 0; at < message.length || pieces.length === 0;) {
      const end = endOfPiece(message, at);
      pieces.push(message.slice(at, end));
      at = end;
    }
    return pieces.map((piece, index) => this.#text(index === pieces.length - 1 ? 'end' : 'part', piece));
  }

  /** The text that says that this end is gone. */
  close(why: string): string {
    return this.#text('close', why.slice(0, 200));
  }

  #text(what: Carried['what'], piece: string): string {
    const { terminal, to, from } = this.#route;
    this.#number += 1;
    return `${JSON.stringify([terminal, to, from, this.#number, what])}\n${piece}`;
  }
}

/** Half of a character that takes two would be none. */
function endOfPiece(message: string, at: number): number {
  const end = Math.min(message.length, at + PIECE_CHARS_MAX);
  const last = message.charCodeAt(end - 1);
  return end < message.length && last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}

/** @returns null for what no replica of this build sends. */
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

/** Puts the messages of one end together again. */
export class Joiner {
  #number = 0;
  #pieces: string[] = [];
  #chars = 0;

  /** @returns the message that is whole now; null: not yet; `torn`: a text is missing, and no message can be believed any more. */
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
