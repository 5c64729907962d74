// Splits a stream of bytes into lines, and finds the place of an error in a line.
import { messageOf } from '@drover/base';
import { badFile, type FilePlace } from './format.ts';
import { LINE_BYTES_MAX } from './limits.ts';

const NEWLINE = 10;

/** Line without its end; `number` counts from 1. */
export type Line = { readonly number: number; readonly text: string; readonly bytes: Uint8Array };

/** Splits at `\n`. @throws {TransferError} `bad-file` for what is not UTF-8, is too long, or has no line end. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line, void, undefined> {
  let number = 1;
  let parts: Uint8Array[] = [];
  let length = 0;
  const take = (part: Uint8Array): void => {
    length += part.length;
    if (length > LINE_BYTES_MAX)
      throw badFile({ line: number, column: 1 }, `the line has more than ${LINE_BYTES_MAX} bytes`);
    parts.push(part);
  };
  for await (const chunk of readable(chunks, () => ({ line: number, column: length + 1 }))) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      take(chunk.subarray(from, at));
      yield lineOf(Buffer.concat(parts), number);
      [parts, length, number, from] = [[], 0, number + 1, at + 1];
    }
    if (from < chunk.length) take(chunk.subarray(from));
  }
  if (length > 0)
    throw badFile({ line: number, column: length + 1 }, 'the file ends in the middle of a line: it was cut');
}

/** The same chunks; compressed data that is damaged is a fault of the file, at the place that was reached. */
async function* readable(
  chunks: AsyncIterable<Uint8Array>,
  place: () => FilePlace,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* chunks;
  } catch (cause) {
    const isDamage = cause instanceof Error && 'code' in cause && String(cause.code).startsWith('Z_');
    throw isDamage ? badFile(place(), `the compressed data is damaged or cut (${cause.message})`, { cause }) : cause;
  }
}

/** The value of a line. @throws {TransferError} `bad-file` with the column of the first character that does not fit. */
export function parseLine({ number, text }: Line): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = messageOf(error);
    const at = /at position (\d+)/.exec(message)?.[1];
    const column = at === undefined ? text.length + 1 : Number(at) + 1;
    throw badFile({ line: number, column }, `this is not JSON: ${message.replace(/ (in JSON )?at position .*/s, '')}`);
  }
}

/** The column, counted from 1, at which the element of a JSON array begins; for messages about that element. */
export function columnOfElement(text: string, index: number): number {
  let [depth, inString, element] = [0, false, -1];
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === undefined || /\s/.test(letter)) continue;
    const begins = depth === 1 && !inString && letter !== ',' && letter !== ']' && isAfterSeparator(text, at);
    if (begins && (element += 1) === index) return at + 1;
    if (letter === '\\' && inString) at += 1;
    else if (letter === '"') inString = !inString;
    else if (!inString && (letter === '[' || letter === '{')) depth += 1;
    else if (!inString && (letter === ']' || letter === '}')) depth -= 1;
  }
  return text.length + 1;
}

function isAfterSeparator(text: string, at: number): boolean {
  const before = text.slice(0, at).trimEnd().at(-1);
  return before === '[' || before === ',';
}

function lineOf(bytes: Uint8Array, number: number): Line {
  try {
    return { number, bytes, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch (cause) {
    const good = longestText(bytes);
    throw badFile({ line: number, column: good + 1 }, 'this is not text in UTF-8', { cause });
  }
}

/** Characters before the first byte that is no text. */
function longestText(bytes: Uint8Array): number {
  const text = new TextDecoder().decode(bytes);
  return Math.max(0, text.indexOf('\u{fffd}'));
}
