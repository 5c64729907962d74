/** Schemas of the messages of Codex's app-server that Drover reads (0.145 to 0.169); everything else in them is left alone. */
import { z } from 'zod';

export const status = z.discriminatedUnion('type', [
  z.object({ type: z.literal('notLoaded') }),
  z.object({ type: z.literal('idle') }),
  z.object({ type: z.literal('systemError') }),
  z.object({ type: z.literal('active'), activeFlags: z.array(z.string()) }),
]);

export type Status = z.infer<typeof status>;

const thread = z.object({
  id: z.string(),
  cwd: z.string(),
  ephemeral: z.boolean(),
  parentThreadId: z.string().nullish(),
  status,
});

export type Thread = z.infer<typeof thread>;

/** Loaded threads, one more for each turn: only the size of a message bounds them. */
export const loaded = z.object({ data: z.array(z.string()) });
/** Answer about a thread, and the announcement of one that began. */
export const threadRead = z.object({ thread });
export const turnStarted = z.object({ turn: z.object({ id: z.string() }) });

const item = z.looseObject({
  type: z.string(),
  clientId: z.string().nullish(),
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })).optional(),
});

export type Item = z.infer<typeof item>;

export const itemStarted = z.object({ item });

export const items = z.object({
  data: z.array(z.object({ item })),
  nextCursor: z.string().nullish(),
});

export const turns = z.object({ data: z.array(z.object({ id: z.string(), status: z.string() })) });

/** Commands that run on beside the turns of a thread. */
export const terminals = z.object({ data: z.array(z.object({ command: z.string() })) });

export const statusChanged = z.object({ threadId: z.string(), status });
export const resolved = z.object({ threadId: z.string(), requestId: z.union([z.string(), z.number()]) });
export const approval = z.object({ threadId: z.string(), command: z.string().nullish() });

/** Words of a user's message, as they were sent. */
export function wordsOf(content: z.infer<typeof item>['content']): string {
  return (content ?? []).map(({ text }) => text ?? '').join('');
}
