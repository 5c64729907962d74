// Where questions are shown: who people are in chats, places, and deliveries.
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

/** Who a channel says that somebody is: `telegram` and `7`. */
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

/** Where questions are shown: a person's own chat, or one of several people. */
export interface PlaceRow extends PlaceKey {
  /** Whose chat it is; null: one of several people. */
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

/** One question at one place. Times are epoch milliseconds. */
export interface DeliveryRow extends PlaceKey {
  readonly escalationId: string;
  /** The version that the place shows; 0: none yet. */
  readonly shown: number;
  /** How the channel finds the card again; null: none is known. */
  readonly ref: string | null;
  readonly pingsWanted: number;
  readonly pingsGiven: number;
  /** The process that has it in hand, until `heldUntil`. */
  readonly holder: string | null;
  readonly heldUntil: number | null;
  /** Not to be tried before. */
  readonly notBefore: number | null;
  /** Tries that failed since it was shown last. */
  readonly failures: number;
  readonly error: string | null;
  /** Trying again is of no use. */
  readonly isFinal: boolean;
  readonly createdAt: number;
  readonly shownAt: number | null;
}

/** Which process asks for the work of a channel, and until when it has what it gets. */
export interface Claim {
  readonly channel: string;
  readonly holder: string;
  readonly until: number;
  readonly now: number;
}

/** Which process has the work of a channel. */
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

/** What became of a delivery. */
export type DeliveryEnd =
  | { readonly kind: 'shown'; readonly version: number; readonly ref: string; readonly pings: number }
  | { readonly kind: 'failed'; readonly error: string; readonly notBefore: number; readonly isFinal: boolean };

/** Which delivery, in whose hands. */
export interface DeliveryKey extends PlaceKey {
  readonly escalationId: string;
  readonly holder: string;
}

/** A span without calls about some questions. What several of its fields name must all be so; null: any. */
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

/** Somebody waits so long for what comes of a test, in milliseconds; a chat service takes a second or two. */
export const PLACE_TEST_MS = 15_000;

/** What came of a test. */
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

/** When a question is to be shown, epoch milliseconds. `notBefore`: it waits for others that are told with it. */
export interface WantedWhen {
  readonly now: number;
  readonly notBefore?: number;
}

/** What is done to people, places and deliveries inside a transaction. */
export interface ChannelTransaction {
  insertPerson(person: PersonRow): Promise<'inserted' | 'name-taken'>;
  findPersonByName(name: string): Promise<PersonRow | null>;
  /** Also their identities, codes and places go. */
  deletePerson(id: string): Promise<void>;
  /** Writes the role and the project, also that of their places. */
  savePerson(person: PersonRow): Promise<void>;
  /** Codes of this person from before are out. */
  insertLinkCode(code: NewLinkCode): Promise<void>;
  /** Uses a code up. @returns whose it is; null for one that is unknown, used or over. */
  takeLinkCode(sha256: string, now: number): Promise<PersonRow | null>;
  personOf(channel: string, subject: string): Promise<PersonRow | null>;
  /** An identity belongs to one person; the newest link counts. */
  saveIdentity(identity: IdentityRow): Promise<void>;
  savePlace(place: PlaceRow): Promise<void>;
  /** Also what is due there goes. @returns whether there was one. */
  deletePlace(place: PlaceKey): Promise<boolean>;
  /** Makes what is shown there due at the new address, each question once, without a new ping. @returns whether there was such a place. */
  movePlace(move: PlaceMove): Promise<boolean>;
  /** Shows a question at a place and pings there; once more where it is shown already. Nothing where there is no such place. */
  wantDelivery(escalationId: string, place: PlaceKey, when: WantedWhen): Promise<void>;
  listPeople(): Promise<readonly PersonRow[]>;
  listPlaces(): Promise<readonly PlaceRow[]>;
  listDeliveries(escalationId: string): Promise<readonly DeliveryRow[]>;
  insertSilence(silence: SilenceRow): Promise<void>;
  /** @returns whether there was one. */
  deleteSilence(id: string): Promise<boolean>;
  /** Writes its end and its reason. @returns whether there is one. */
  saveSilence(silence: Pick<SilenceRow, 'id' | 'until' | 'reason'>): Promise<boolean>;
  /** Those that are not over, the first to end first. */
  listSilences(now: number): Promise<readonly SilenceRow[]>;
}

/** What is read or written of people, places and deliveries by itself. */
export interface ChannelStore {
  listPeople(): Promise<readonly PersonRow[]>;
  listIdentities(): Promise<readonly IdentityRow[]>;
  personOf(channel: string, subject: string): Promise<PersonRow | null>;
  listPlaces(): Promise<readonly PlaceRow[]>;
  listSilences(now: number): Promise<readonly SilenceRow[]>;
  /** Takes or keeps the work of a channel. @returns false while another process has it. */
  holdChannel(claim: Claim): Promise<boolean>;
  /** Who has the work of which channel, also those whose time is over. */
  listChannelLeases(): Promise<readonly ChannelLease[]>;
  /** Gives it free, if this process has it. */
  releaseChannel(channel: string, holder: string): Promise<void>;
  /** Makes each open question due at each place of the channel that it concerns. */
  wantEverywhere(channel: string, now: number): Promise<void>;
  /** What is due and that no bot has in hand, oldest questions first; what another holder had in hand is free. */
  claimDeliveries(claim: Claim, limit: number): Promise<readonly DueDelivery[]>;
  /** @returns false when it is in other hands meanwhile; then nothing was written. */
  endDelivery(key: DeliveryKey, end: DeliveryEnd, now: number): Promise<boolean>;
  listDeliveries(escalationId: string): Promise<readonly DeliveryRow[]>;
  /** Begins tests. Those of an hour ago go. */
  beginPlaceTests(tests: readonly PlaceTest[], now: number): Promise<void>;
  /** Takes those of a channel that no bot has taken and that somebody waits for. Each is given once. */
  takePlaceTests(channel: string, now: number): Promise<readonly PlaceTest[]>;
  /** The first end counts. @returns whether there is such a test. */
  endPlaceTest(id: string, end: PlaceTestEnd): Promise<boolean>;
  /** Null: there is none, or it is too long ago. */
  readPlaceTest(id: string): Promise<PlaceTest | null>;
  /** Those of open questions whose last try failed, the oldest question first. */
  listFailingDeliveries(limit: number): Promise<readonly DeliveryRow[]>;
}
