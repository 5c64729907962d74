// Describes where questions are shown: who people are in chats, places, and deliveries.
import type { ApiToken, Cause } from './people.ts';
import type { EscalationRow } from './escalations.ts';

/** A person, apart from tokens. Times are epoch milliseconds. */
export interface PersonRow {
  readonly id: string;
  readonly name: string;
  readonly role: Exclude<ApiToken['role'], 'worker'>;
  /** The only project that the person reaches; null: all of them. */
  readonly projectId: string | null;
  readonly createdAt: number;
}

/** Identity of a person as a channel gives it: `telegram` and `7`. */
export interface IdentityRow {
  readonly channel: string;
  readonly subject: string;
  readonly personId: string;
  readonly linkedAt: number;
}

/** The name of a place: `telegram` and the number of a chat. */
export interface PlaceKey {
  readonly channel: string;
  readonly address: string;
}

/** Place where questions are shown: a person's own chat, or one of several people. */
export interface PlaceRow extends PlaceKey {
  /** Owner of the chat; null: one of several people. */
  readonly personId: string | null;
  /** The only project whose questions are shown there; null: those of all. */
  readonly projectId: string | null;
  readonly createdAt: number;
  /** The address that the same chat had before; null or absent: none. */
  readonly formerAddress?: string | null;
}

/** A place that is found under another address from now on. */
export interface PlaceMove {
  readonly channel: string;
  readonly from: string;
  readonly to: string;
}

/** A code that links an identity to a person, once. */
export interface NewLinkCode {
  readonly sha256: string;
  readonly personId: string;
  readonly expiresAt: number;
}

/** Question at one place. Times are epoch milliseconds. */
export interface DeliveryRow extends PlaceKey {
  readonly escalationId: string;
  /** The version that the place shows; 0: none yet. */
  readonly shown: number;
  /** Reference by which the channel finds the card again; null: none is known. */
  readonly ref: string | null;
  readonly pingsWanted: number;
  readonly pingsGiven: number;
  /** Process that works on the delivery, until `heldUntil`. */
  readonly holder: string | null;
  readonly heldUntil: number | null;
  /** Time before which it is not tried. */
  readonly notBefore: number | null;
  /** Tries that failed since it was shown last. */
  readonly failures: number;
  readonly error: string | null;
  /** Trying again is of no use. */
  readonly isFinal: boolean;
  readonly createdAt: number;
  readonly shownAt: number | null;
}

/** Process that asks for the work of a channel, and the time until which it keeps what it gets. */
export interface Claim {
  readonly channel: string;
  readonly holder: string;
  readonly until: number;
  readonly now: number;
}

/** Process that has the work of a channel. */
export interface ChannelLease {
  readonly channel: string;
  readonly holder: string;
  /** Epoch milliseconds. */
  readonly heldUntil: number;
}

/** A delivery that is due, with its question. */
export interface DueDelivery {
  readonly delivery: DeliveryRow;
  readonly escalation: EscalationRow;
}

/** Result of a delivery. */
export type DeliveryEnd =
  | { readonly kind: 'shown'; readonly version: number; readonly ref: string; readonly pings: number }
  | { readonly kind: 'failed'; readonly error: string; readonly notBefore: number; readonly isFinal: boolean };

/** Key of a delivery, and its holder. */
export interface DeliveryKey extends PlaceKey {
  readonly escalationId: string;
  readonly holder: string;
}

/** A span without calls about some questions. A question must match every field that is set; null: any. */
export interface SilenceRow {
  readonly id: string;
  readonly projectId: string | null;
  readonly worker: string | null;
  readonly machine: string | null;
  readonly code: string | null;
  readonly reason: string;
  readonly until: number;
  readonly actor: Cause;
  readonly createdAt: number;
}

/** Milliseconds that a person waits for the result of a test; a chat service takes a second or two. */
export const PLACE_TEST_MS = 15_000;

/** Result of a test. */
export type PlaceTestEnd = { readonly kind: 'shown' } | { readonly kind: 'failed'; readonly error: string };

/** A test whether people are reached at a place. */
export interface PlaceTest extends PlaceKey {
  readonly id: string;
  /** The name of the one who tries. */
  readonly by: string;
  readonly createdAt: number;
  /** Null: nothing yet. */
  readonly end: PlaceTestEnd | null;
}

/** Time when a question is to be shown, epoch milliseconds. `notBefore`: it waits for others that are shown with it. */
export interface WantedWhen {
  readonly now: number;
  readonly notBefore?: number;
}
