/** Use cases of the events for programs outside. */
import type { Outcome } from '../outcome.ts';
import type { Actor } from '../people.ts';
import type { AnnouncementView } from './events.ts';

/** What comes after a cursor; without one nothing, but where to begin. `types` without a dot, such as `escalation`, means all of those. */
export interface FeedInput {
  readonly after: string | undefined;
  readonly types: readonly string[] | undefined;
  /** How long to wait for something, in milliseconds. */
  readonly waitMs: number;
  readonly limit: number;
}

/** Oldest first, and the cursor to go on after, also where nothing came. */
export interface FeedView {
  readonly items: AnnouncementView[];
  readonly next: string;
}

/** The use cases of what happened. */
export interface FeedFleet {
  /** Refused with `cursor-lost`: what comes after the cursor is not known any more, or never was. */
  feed(input: FeedInput, by: Actor, signal: AbortSignal): Promise<Outcome<FeedView>>;
  /** A ticket that opens one stream for this caller, within a minute. */
  eventTicket(by: Actor): { readonly ticket: string; readonly expiresAt: number };
}
