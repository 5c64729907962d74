/** Defines pages of a conversation between a person and a coding agent, as the program's own record tells it. */
import { z } from 'zod';
import { epochMs, line, text } from '../names.ts';

/** Entries of a page at most: one line of a record may hold several. */
export const ENTRIES_MAX = 200;
/** Characters of one entry at most; a longer one is cut and says so. */
export const ENTRY_CHARS_MAX = 16_000;

const said = { at: epochMs.nullable(), text, isCut: z.boolean() };

/** Words or an act of a conversation. `at`: epoch milliseconds of the machine's clock; null: the record does not say. */
export const conversationEntry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('prompt'), ...said }),
  z.object({ kind: z.literal('answer'), ...said }),
  /** The agent calls a tool; the text is what it passes. */
  z.object({ kind: z.literal('call'), tool: text, ...said }),
  z.object({ kind: z.literal('result'), failed: z.boolean(), ...said }),
  /** The program or its service failed. */
  z.object({ kind: z.literal('error'), ...said }),
]);
/** A checked `conversationEntry`. */
export type ConversationEntry = z.infer<typeof conversationEntry>;

/** Asks for the newest page before a place. */
export const readConversation = z.object({
  kind: z.literal('read-conversation'),
  /** The `before` of the page that follows; null: the newest page. */
  before: line.nullable(),
  /** Entries that hold these words alone; null: all. */
  find: text.nullable(),
  limit: z.number().int().min(1).max(ENTRIES_MAX),
});

/** A page, oldest first, already redacted. */
export const conversationAnswer = z.object({
  kind: z.literal('conversation'),
  entries: z.array(conversationEntry).max(ENTRIES_MAX).readonly(),
  /** Place before which the next page ends; null: the conversation begins with this page. */
  before: line.nullable(),
  /** Reason why there is no record, as a sentence; null: there is one. */
  lacks: text.nullable(),
});
