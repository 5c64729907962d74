/** What happened, for programs outside: what clients send and see, and the use cases. */
import { epochMs, uuid } from '@drover/protocol';
import { z } from 'zod';
import type { Outcome } from '../outcome.ts';
import type { Actor } from '../people.ts';

/** One thing that happened. It holds no text of a pane: what it is about is read where it is. */
export const announcementView = z.object({
  cursor: z.string().meta({ description: 'Going on after it misses nothing' }),
  type: z.string().meta({ description: 'Such as escalation.opened: docs/api.md lists them' }),
  at: epochMs,
  actor: z.object({ kind: z.string(), name: z.string() }).nullable().meta({ description: 'Null: Drover itself' }),
  project: uuid.nullable().meta({ description: 'Null: it is of the whole fleet' }),
  subject: z.record(z.string(), z.union([z.string(), z.number()])).meta({ description: 'Its kind and id, and more' }),
  version: z.number().int().meta({ description: 'Of the subject' }),
});

/** A checked `announcementView`. */
export type AnnouncementView = z.infer<typeof announcementView>;

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
}
