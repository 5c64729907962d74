/** Reads a growing file from its end to its beginning, line by line. */
import type { Files } from '@drover/host';

/** Bytes that are read at once. */
const READ_BYTES = 256 * 1024;
/** Bytes of a line that is read; of a longer one nobody sees the whole anyway. */
const LINE_BYTES_MAX = 4 * 1024 * 1024;

/** Bytes that one reading goes back: an agent can make a file of any size, with no line in it. */
const SCAN_BYTES_MAX = 128 * 1024 * 1024;

/** A line, and the place of its first byte in the file. */
export interface PlacedLine {
  readonly text: string;
  readonly from: number;
}

/** Yields the whole lines that end before a place, the last one first; null: from the end of the file. */
export async function* linesBefore(disk: Files, path: string, before: number | null): AsyncGenerator<PlacedLine> {
  const size = (await disk.readRange(path, { from: 0, bytesMax: 0 }))?.size ?? 0;
  let end = Math.min(before ?? size, size);
  const last = Math.max(0, end - SCAN_BYTES_MAX);
  // Bytes from `end` on whose line begins further to the front.
  let rest: readonly Buffer[] = [];
  let restBytes = 0;
  // After the last line end stands a line that is being written: it is none yet.
  let isWhole = before !== null;
  while (end > last) {
    const from = Math.max(last, end - READ_BYTES);
    const piece = await disk.readRange(path, { from, bytesMax: end - from });
    if (piece === undefined || piece.bytes.length < end - from) return;
    const bytes = Buffer.from(piece.bytes);
    let to = bytes.length;
    for (let at = bytes.lastIndexOf(10, to - 1); at >= 0; at = at === 0 ? -1 : bytes.lastIndexOf(10, at - 1)) {
      const line = Buffer.concat([bytes.subarray(at + 1, to), ...rest]);
      if (isWhole && line.length > 0 && restBytes <= LINE_BYTES_MAX)
        yield { text: line.toString('utf8'), from: from + at + 1 };
      [rest, restBytes, to, isWhole] = [[], 0, at, true];
    }
    const head = bytes.subarray(0, to);
    restBytes += head.length;
    rest = restBytes <= LINE_BYTES_MAX ? [head, ...rest] : [];
    end = from;
  }
  if (end > 0) return;
  const line = Buffer.concat(rest);
  if (isWhole && line.length > 0 && restBytes <= LINE_BYTES_MAX) yield { text: line.toString('utf8'), from: 0 };
}
