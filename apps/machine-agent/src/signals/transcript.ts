/** Searches a coding agent's own transcript for prompts: the strongest evidence that a prompt was taken. */
import { dirname } from 'node:path';
import type { Files } from '@drover/host';
import type { Profile } from '@drover/screen';

/** Bytes read at once, and in all, when a transcript is searched: 64 MiB is hours of work after one prompt. */
const READ_BYTES = 1024 * 1024;
const SEARCH_BYTES_MAX = 64 * 1024 * 1024;
/** Length from which a prompt may also be part of a longer entry: shorter words could be another text's. */
const CONTAINED_CHARS_MIN = 24;

/**
 * Path of a conversation for the profile's program.
 *
 * @param cwd The program's working directory, without symbolic links. @returns null when the profile does not say.
 */
export function transcriptPath(
  { signals }: Profile,
  { home, cwd, conversation }: { home: string; cwd: string; conversation: string },
): string | null {
  // A directory of conversations under the program's own names says nothing about this one.
  if (!(signals.transcript ?? '').includes('{session}')) return null;
  const slug = slugOf(cwd);
  return (
    signals.transcript
      ?.replaceAll('{home}', () => home)
      .replaceAll('{slug}', () => slug)
      .replaceAll('{session}', () => conversation) ?? null
  );
}

/** Characters of a slug beyond which Claude Code cuts it and adds a hash of the path. */
const SLUG_CHARS_MAX = 200;

/**
 * Name of the directory in which Claude Code keeps the conversations of a working directory: the path with `-` for all but letters and digits;
 * for a long one the first 200 characters, `-`, and the absolute value of its 32-bit hash in base 36.
 */
export function slugOf(cwd: string): string {
  const slug = cwd.replaceAll(/[^a-zA-Z0-9]/g, '-');
  if (slug.length <= SLUG_CHARS_MAX) return slug;
  let hash = 0;
  for (let index = 0; index < cwd.length; index += 1) hash = (Math.imul(hash, 31) + cwd.charCodeAt(index)) | 0;
  return `${slug.slice(0, SLUG_CHARS_MAX)}-${Math.abs(hash).toString(36)}`;
}

/**
 * Tells whether the program really keeps its transcripts at the profile's path: a setting of its user may have moved them, and then their
 * absence says nothing.
 */
export async function keepsTranscripts(disk: Files, path: string): Promise<boolean> {
  return (await disk.stat(dirname(path)).catch(() => undefined))?.kind === 'directory';
}

/** Bytes of a file; 0 when there is none, null when it is unknown. */
export async function sizeOf(disk: Files, path: string): Promise<number | null> {
  try {
    return (await disk.stat(path))?.size ?? 0;
  } catch {
    return null;
  }
}

/** Tells whether the user's words stand in a transcript after an offset in bytes. */
export async function transcriptHolds(
  disk: Files,
  path: string,
  { offset, words }: { readonly offset: number; readonly words: string },
): Promise<boolean> {
  for await (const line of linesAfter(disk, path, offset)) if (isPrompt(line, words)) return true;
  return false;
}

/** Whole lines of a file after an offset. A file that cannot be read has none. */
export async function* linesAfter(disk: Files, path: string, offset: number): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  for (let at = offset; at - offset < SEARCH_BYTES_MAX;) {
    const piece = await disk.readRange(path, { from: at, bytesMax: READ_BYTES });
    if (piece === undefined || piece.bytes.length === 0) break;
    at += piece.bytes.length;
    rest = Buffer.concat([rest, piece.bytes]);
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      yield rest.toString('utf8', 0, end);
      rest = rest.subarray(end + 1);
    }
    // The rest after the last piece is the last line; no further read is needed.
    if (at >= piece.size) break;
  }
  if (rest.length > 0) yield rest.toString('utf8');
}

/** Tells whether a line of a transcript is the user's prompt with these words. */
export function isPrompt(line: string, words: string): boolean {
  const entry = parsedLine(line);
  return [...userTexts(entry), ...absorbedTexts(entry)].some((text) => saysTheSame(text, words));
}

/** Compares without white space and characters that programs drop, for programs wrap, trim, replace and compose texts. */
export function saysTheSame(said: string, words: string): boolean {
  const [one, other] = [bare(said), bare(words)];
  if (other === '') return false;
  return one === other || (other.length >= CONTAINED_CHARS_MIN && one.includes(other));
}

function bare(text: string): string {
  return text.replaceAll(/[\s\u200b-\u200d\ufeff]+/gu, '').normalize('NFC');
}

/** Texts of an entry whose author is the user: `type` or `role` is `user`, in it or in its `message` or `payload`. */
function userTexts(entry: unknown): readonly string[] {
  if (!isRecord(entry)) return [];
  const holders = [entry, entry['message'], entry['payload']].filter(isRecord);
  const isUsers = holders.some((holder) => holder['role'] === 'user' || holder['type'] === 'user');
  if (!isUsers) return [];
  return holders.flatMap((holder) => textsOf(holder['content']));
}

/** Reads the only trace of a text that waited in the queue and went into the running turn with a tool's result (Claude Code 2.1.330). */
function absorbedTexts(entry: unknown): readonly string[] {
  if (!isRecord(entry) || !isRecord(entry['attachment'])) return [];
  const { attachment } = entry;
  return attachment['type'] === 'queued_command' ? textsOf(attachment['prompt']) : [];
}

/** Texts of a message: the message itself, or its parts. */
export function textsOf(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  const parts: readonly unknown[] = content;
  return parts.flatMap((part) => (isRecord(part) && typeof part['text'] === 'string' ? [part['text']] : []));
}

/** Parses a line of JSON; undefined when it is none, such as a line that is being written. */
export function parsedLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Tells whether a value has named fields. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
