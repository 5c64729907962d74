/** Panes of agents and conversations with them: what clients send and see. */
import { conversationEntry, ENTRIES_MAX } from '@drover/protocol';
import { z } from 'zod';
import { workerRef } from '../texts.ts';

/** Asks for a page of the conversation with a worker's agent: the newest, or the one before a place. */
export const conversationInput = z.object({
  name: workerRef,
  /** The `before` of the page that follows. */
  before: z.string().max(100).optional(),
  /** Only entries that hold these words, whatever their case. */
  find: z.string().max(200).optional(),
  limit: z.number().int().min(1).max(ENTRIES_MAX).default(50),
});

/**
 * A page of a conversation, oldest entry first, as the program's own record tells it, redacted on its machine. Times are those of that machine.
 */
export const conversationView = z.object({
  entries: z.array(conversationEntry),
  /** Place before which the next page ends; null: the conversation begins here. */
  before: z.string().nullable(),
  /** Reason why there is no record, as a sentence without its dot; null: there is one. */
  lacks: z.string().nullable(),
});

export type ConversationView = z.infer<typeof conversationView>;

/** Asks for the last lines of a worker's screen and scrollback, at most `lines`. */
export const paneInput = z.object({
  name: workerRef,
  lines: z.number().int().min(1).max(50_000),
  /** Includes the output of `git status` of its worktree; then a worker without a session is no failure. */
  git: z.boolean().default(false),
});

/** The last lines of a worker's terminal, and the output of `git status` of its worktree if the caller asked for it. */
export interface PaneView {
  readonly text: string;
  readonly git: readonly string[];
}
