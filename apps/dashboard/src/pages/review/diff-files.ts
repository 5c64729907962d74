/** Splits a diff into its files, with the lines of each. */
import { diffLines } from '@drover/protocol/diff-lines';
import type { DiffLine } from '@drover/protocol/diff-lines';

/** A file of a diff. */
export interface DiffFile {
  readonly path: string;
  /** Changes beside lines, as git says them: renamed, new, another mode. */
  readonly heads: readonly string[];
  readonly lines: readonly DiffLine[];
  readonly added: number;
  readonly removed: number;
  readonly isBinary: boolean;
}

/** A diff, and whether it was cut because it is too long. */
export interface Diff {
  readonly files: readonly DiffFile[];
  readonly isCut: boolean;
}

/** Reads a diff as git prints it. No line of a file can look like the head of the next one: each begins with its sign. */
export function readDiff(diff: string): Diff {
  const [, ...parts] = `\n${diff}`.split(/\n(?=diff --git )/u);
  return { files: parts.map(fileOf), isCut: /\n\[[^\n]*longer[^\n]*\]\s*$/u.test(diff) };
}

function fileOf(part: string): DiffFile {
  const [first = '', ...rest] = part.split('\n');
  const firstHunk = rest.findIndex((line) => line.startsWith('@@ '));
  const head = firstHunk === -1 ? rest : rest.slice(0, firstHunk);
  const lines = [...diffLines(part.endsWith('\n') ? part : `${part}\n`)];
  const count = (kind: DiffLine['kind']): number => lines.filter((line) => line.kind === kind).length;
  return {
    path: lines[0]?.path ?? pathOf(first),
    heads: head.filter((line) => HEADS.test(line)),
    lines,
    added: count('added'),
    removed: count('removed'),
    isBinary: head.some((line) => /^(?:Binary files |GIT binary patch)/u.test(line)),
  };
}

const HEADS = /^(?:new file|deleted file|old mode|new mode|rename from|rename to|similarity)/u;

/** Takes the name after the change of a file without lines. */
function pathOf(first: string): string {
  const at = Math.max(first.lastIndexOf(' b/'), first.lastIndexOf(' "b/'));
  return at === -1 ? first.slice('diff --git '.length) : first.slice(first.indexOf('b/', at) + 2).replace(/"$/u, '');
}

/** Lines that are shown at once, so that the browser's own search finds them and the page stays quick. */
const SHOWN_LINES_MAX = 3_000;
/** Lines of one file that is shown without being asked for. */
const FILE_LINES_MAX = 2_000;

/** Returns the reason why a file is closed at first; null: it is open. `linesBefore`: lines of the open files above it. */
export function closedBecause({ lines, isBinary }: DiffFile, linesBefore: number): string | null {
  if (isBinary) return 'binary';
  if (lines.length === 0) return 'no line changes';
  if (lines.length > FILE_LINES_MAX) return `${lines.length} lines`;
  return linesBefore + lines.length > SHOWN_LINES_MAX ? 'the files above fill the page' : null;
}
