/** Use cases of the events for external programs. */
import type { Outcome } from '../outcome.ts';
import type { Actor } from '../people.ts';
import type { AnnouncementView } from './events.ts';

/**
 * Asks for the events after a cursor; without a cursor, only for a cursor to begin at. `types` without a dot, such as
 * `escalation`, means all types with that prefix.
 */
export interface FeedInput {
  readonly after: string | undefined;
  readonly types: readonly string[] | undefined;
  /** Milliseconds to wait for an event. */
  readonly waitMs: number;
  readonly limit: number;
}

/** Events, oldest first, and the cursor for the next call, also if there are no events. */
export interface FeedView {
  readonly items: AnnouncementView[];
  readonly next: string;
}

/** The use cases of the event feed. */
export interface FeedFleet {
  /** Refuses with `cursor-lost` if the events after the cursor are no longer known, or never were. */
  feed(input: FeedInput, by: Actor, signal: AbortSignal): Promise<Outcome<FeedView>>;
  /** Makes a ticket that opens one stream for this caller, within a minute. */
  eventTicket(by: Actor): { readonly ticket: string; readonly expiresAt: number };
}
