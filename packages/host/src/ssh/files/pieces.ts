/** Reads files that may be large, or written by a program in a pane. Reads in pieces, so that control does not wait behind them. */
import type { Files, PathStat } from '../../port/files.ts';
import { line, quote } from '../shell/quote.ts';
import { absent, type FileTools, operate } from './operate.ts';
import { readStat, type StatTool, statCommand } from './stat-tool.ts';
import { SystemError } from './system-error.ts';

/** Bytes of one answer: more would make what is typed meanwhile wait. */
const PIECE_BYTES = 128 * 1024;
/** Times that a file may be replaced while it is read. */
const CHANGES_MAX = 5;

/** A piece, and the file that it is of. */
interface Piece {
  readonly facts: PathStat;
  readonly bytes: Buffer;
}

/** Start of a piece: so many bytes from the start, or before the end. */
type Place = { readonly from: number } | { readonly last: number };

/** The reading half of a machine's files. */
export function pieces(tools: FileTools): Pick<Files, 'readFile' | 'readRange' | 'tailLines'> {
  return {
    readFile: (path, { bytesMax = Number.MAX_SAFE_INTEGER } = {}) => absent(readWhole(tools, path, bytesMax)),
    async readRange(path, { from, bytesMax }) {
      const read = await guarded(tools, path, { from, bytesMax });
      return read && { bytes: read.bytes, size: read.facts.size, modifiedAt: read.facts.modifiedAt };
    },
    async tailLines(path, { bytesMax }) {
      const read = await guarded(tools, path, { last: bytesMax, bytesMax });
      if (read === undefined) return undefined;
      const text = read.bytes.toString();
      if (!text.endsWith('\n')) return undefined;
      const lines = text.slice(0, -1).split('\n');
      const isWhole = read.bytes.length >= read.facts.size;
      return { lines: isWhole ? lines : lines.slice(1), modifiedAt: read.facts.modifiedAt };
    },
  };
}

/** Reads one version of the file: from the start again when another took its place meanwhile. */
async function readWhole(tools: FileTools, path: string, bytesMax: number): Promise<Buffer> {
  for (let attempt = 1; ; attempt += 1) {
    const found: Buffer[] = [];
    let length = 0;
    let first: PathStat | undefined;
    for (;;) {
      const wanted = Math.min(PIECE_BYTES, bytesMax - length);
      const { facts, bytes } = await followed(tools, path, { from: length, bytesMax: wanted });
      first ??= facts;
      const isSame = facts.inode === first.inode && facts.size >= first.size;
      if (!isSame && attempt < CHANGES_MAX) break;
      found.push(bytes);
      length += bytes.length;
      if (bytes.length < wanted || length >= bytesMax) return Buffer.concat(found);
    }
  }
}

async function followed(
  { bodies, statTool }: FileTools,
  path: string,
  { from, bytesMax }: { from: number; bytesMax: number },
): Promise<Piece> {
  const at = quote(path);
  const read = from === 0 ? line`head -c ${bytesMax} ${at}` : line`tail -c +${from + 1} ${at} | head -c ${bytesMax}`;
  const body = line`${statCommand(await statTool(), 'follow')} ${at} && ${read}`;
  return readPiece(await operate(bodies, { name: 'read', path }, body), path);
}

/** @returns undefined for all that is no file, or cannot be read. */
async function guarded(
  tools: FileTools,
  path: string,
  place: Place & { readonly bytesMax: number },
): Promise<Piece | undefined> {
  const tool = await tools.statTool();
  const parts: Buffer[] = [];
  let facts: PathStat | undefined;
  try {
    for (let done = 0; done < Math.max(1, place.bytesMax); done += PIECE_BYTES) {
      const bytesMax = Math.min(PIECE_BYTES, place.bytesMax - done);
      const at: Place = facts === undefined ? place : { from: startOf(place, facts) + done };
      const body = guardedBody(tool, path, { ...at, bytesMax });
      const piece = readPiece(await operate(tools.bodies, { name: 'read', path }, body), path);
      facts ??= piece.facts;
      parts.push(piece.bytes);
      if (piece.bytes.length < bytesMax) break;
    }
  } catch (error) {
    if (error instanceof SystemError) return undefined;
    throw error;
  }
  return facts && { facts, bytes: Buffer.concat(parts) };
}

function startOf(place: Place, { size }: PathStat): number {
  return 'from' in place ? place.from : Math.max(0, size - place.last);
}

/** Guards the read: between the look and the reading the file may become a link or a pipe, and GNU's `dd` opens neither. */
function guardedBody(tool: StatTool, path: string, place: Place & { readonly bytesMax: number }): Buffer {
  const at = quote(path);
  const look = line`[ -f ${at} ] && [ ! -L ${at} ] && s=$(${statCommand(tool, 'stay')} ${at}) && printf "%s\\n" "$s"`;
  const start = 'from' in place ? line`f=${place.from}` : line`f=$(($2-${place.last})); [ "$f" -gt 0 ] || f=0`;
  const read =
    tool === 'gnu'
      ? line`dd if=${at} iflag=nofollow,nonblock,skip_bytes,count_bytes bs=65536 skip="$f" count=${place.bytesMax} status=none`
      : line`tail -c +$((f+1)) ${at} | head -c ${place.bytesMax}`;
  return line`${look} && set -- $s && { ${start}; ${read}; }`;
}

function readPiece(output: Buffer, path: string): Piece {
  const end = output.indexOf(0x0a);
  const facts = readStat(output.toString('latin1', 0, end));
  if (facts === undefined) throw new SystemError('read', path, 'stat gave an answer that is not known');
  return { facts, bytes: output.subarray(end + 1) };
}
