// Finds the user's words and the tools' results in a list of messages.
import { z } from 'zod';
import type { Asked } from './actions.ts';

/** A thing of which only some fields matter. */
export const record = z.record(z.string(), z.unknown());

/** Message as every dialect has it, once its own words are taken off. */
export type Turn = { readonly by: 'model' } | { readonly by: 'tool' } | { readonly by: 'user'; readonly text: string };

/**
 * Returns the words since the model last spoke, and how many results of tools came since the user last spoke. Words that a program puts into the
 * user's mouth itself (reminders, surroundings) are left out.
 */
export function sinceTheModel(turns: readonly Turn[]): Pick<Asked, 'texts' | 'results' | 'earlier'> {
  const own = turns.filter((turn) => turn.by !== 'user' || !isPrograms(turn.text));
  const lastUser = own.findLastIndex(({ by }) => by === 'user');
  const results = own.slice(lastUser + 1).filter(({ by }) => by === 'tool').length;
  const before = own.slice(0, Math.max(lastUser, 0)).findLastIndex(({ by }) => by !== 'user');
  const texts = own
    .slice(before + 1, lastUser + 1)
    .flatMap((turn) => (turn.by === 'user' ? [withoutTime(turn.text)] : []));
  return { texts, results, earlier: own.filter(({ by }) => by === 'model').length };
}

/** Texts that no person typed. */
function isPrograms(text: string): boolean {
  return (
    /^\s*<(?:system-reminder|command-|local-command|environment_context|user_instructions|turn_aborted|session_context|permissions)/u.test(
      text,
    ) || /^\s*(?:# AGENTS|\[Request interrupted)/u.test(text)
  );
}

/** Takes off the time of day that Copilot CLI puts before each prompt. */
function withoutTime(text: string): string {
  return text.replace(/^<current_datetime>[^<]*<\/current_datetime>\n*/u, '');
}

/** The list under a key, or an empty one. */
export function listOf(body: unknown, key: string): readonly Readonly<Record<string, unknown>>[] {
  const holder = record.safeParse(body);
  const list = holder.success ? z.array(z.unknown()).safeParse(holder.data[key]) : null;
  if (list === null || !list.success) return [];
  return list.data.flatMap((entry) => {
    const parsed = record.safeParse(entry);
    return parsed.success ? [parsed.data] : [];
  });
}

/** The text under a key, or an empty one. */
export function textOf(body: unknown, key: string): string {
  const holder = record.safeParse(body);
  const value = holder.success ? holder.data[key] : undefined;
  return typeof value === 'string' ? value : '';
}

/** The texts of a message's content: a string, or a list of parts with a `text`. */
export function contentTexts(message: Readonly<Record<string, unknown>>): readonly string[] {
  const { content } = message;
  if (typeof content === 'string') return [content];
  return listOf(message, 'content').flatMap((part) => (typeof part['text'] === 'string' ? [part['text']] : []));
}
