/** Remembers which state of the work a person saw: what changed since is shown, and a mark on a file falls with its change. */
import type { DiffFile } from './diff-files.ts';

/** A state of the work that was shown: each file with the sum of its diff. */
export interface Seen {
  readonly head: string;
  readonly files: Readonly<Record<string, string>>;
}

/** The present state, and the one that was shown before it. */
export interface Memory {
  readonly now: Seen;
  readonly before: Seen | null;
}

/** Difference of a file from what was seen. */
export type Since = 'same' | 'changed' | 'new';

export function seenOf(head: string, files: readonly DiffFile[]): Seen {
  return { head, files: Object.fromEntries(files.map((file) => [file.path, sumOf(file)])) };
}

/** Takes the state that is shown now. The same commit again changes nothing. */
export function remember(memory: Memory | null, now: Seen): Memory {
  if (memory === null) return { now, before: null };
  return memory.now.head === now.head ? memory : { now, before: memory.now };
}

/** Compares what is shown with what was seen before; null: nothing was. */
export function sinceSeen({
  now,
  before,
}: Memory): { readonly of: (path: string) => Since; readonly gone: readonly string[] } | null {
  if (before === null) return null;
  return {
    of: (path) => {
      if (!Object.hasOwn(before.files, path)) return 'new';
      return before.files[path] === now.files[path] ? 'same' : 'changed';
    },
    gone: Object.keys(before.files).filter((path) => !Object.hasOwn(now.files, path)),
  };
}

/** Reads a kept memory; anything else that is kept there counts as none. */
export function readMemory(kept: string): Memory | null {
  const parsed = parsedOf(kept);
  if (!isFields(parsed) || !isSeen(parsed['now'])) return null;
  const { before } = parsed;
  return { now: parsed['now'], before: isSeen(before) ? before : null };
}

/** Files that were marked as viewed, by the sums that they had. */
export type Viewed = Readonly<Record<string, string>>;

export function readViewed(kept: string): Viewed {
  const parsed = parsedOf(kept);
  return isTexts(parsed) ? parsed : {};
}

export function isViewed(viewed: Viewed, file: DiffFile): boolean {
  return Object.hasOwn(viewed, file.path) && viewed[file.path] === sumOf(file);
}

export function withViewed(viewed: Viewed, file: DiffFile, is: boolean): Viewed {
  const { [file.path]: _, ...others } = viewed;
  return is ? { ...others, [file.path]: sumOf(file) } : others;
}

/** Sums up a file of a diff (FNV-1a, 32 bits, with its length): enough to know that it changed, and never a proof. */
function sumOf({ heads, lines }: DiffFile): string {
  let sum = 0x811c9dc5;
  let length = 0;
  const add = (text: string): void => {
    length += text.length;
    for (let at = 0; at < text.length; at += 1) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  };
  for (const head of heads) add(head);
  // Numbers of lines change with other places of the file, and are no change of this one.
  for (const { kind, text } of lines) add(`${kind} ${text}\n`);
  return `${(sum >>> 0).toString(36)}.${length.toString(36)}`;
}

function parsedOf(kept: string): unknown {
  try {
    return JSON.parse(kept);
  } catch {
    return null;
  }
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isFields(value) && Object.values(value).every((one) => typeof one === 'string');
}

function isSeen(value: unknown): value is Seen {
  return isFields(value) && typeof value['head'] === 'string' && isTexts(value['files']);
}
