/** The lines of a unified diff with their places in the files, as people name them and editors count them. */

/** Line that a diff shows. */
export interface DiffLine {
  /** The file as it is called after the change; a deleted one as it was called. */
  readonly path: string;
  readonly kind: 'added' | 'removed' | 'kept';
  /** Number of the line in the file before the change, counted from 1; null: it is not there. */
  readonly before: number | null;
  /** The same after the change. */
  readonly after: number | null;
  /** Text without its sign. A carriage return at its end stays. */
  readonly text: string;
}

/**
 * Reads a diff as git prints it with `a/` and `b/` before its names. Leaves out the last line before a cut. Leaves out a hunk in the middle with
 * fewer lines than its head says, too: a secret of several lines was taken out, and the numbers are lost.
 */
export function* diffLines(diff: string): Generator<DiffLine> {
  let names = { before: '', after: '' };
  let hunk: Hunk | null = null;
  // Splits at line feeds alone, which end a line of a diff; files hold all other kinds of line breaks.
  for (const line of eachLine(diff)) {
    if (hunk !== null) {
      const read = readInHunk(hunk, line);
      if (read === 'goes on') continue;
      if (read === 'taken') yield* hunk.lines;
      else if (!/^(?:diff --git |@@ )/.test(line)) yield* hunk.lines.slice(0, -1);
      hunk = null;
      if (read === 'taken') continue;
    }
    if (line.startsWith('diff --git ')) names = { before: '', after: '' };
    else if (line.startsWith('--- ')) names = { ...names, before: nameOf(line.slice(4)) };
    else if (line.startsWith('+++ ')) names = { ...names, after: nameOf(line.slice(4)) };
    else hunk = beginHunk(line, names.after === '' ? names.before : names.after);
  }
  if (hunk !== null) yield* hunk.lines.slice(0, -1);
}

interface Hunk {
  readonly path: string;
  readonly lines: DiffLine[];
  before: number;
  after: number;
  /** Lines of each file that are still to come. */
  leftBefore: number;
  leftAfter: number;
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

function beginHunk(line: string, path: string): Hunk | null {
  const [, before, leftBefore = '1', after, leftAfter = '1'] = HUNK.exec(line) ?? [];
  if (before === undefined || path === '') return null;
  const left = { leftBefore: Number(leftBefore), leftAfter: Number(leftAfter) };
  return { path, lines: [], before: Number(before), after: Number(after), ...left };
}

/** `taken`: it is the last of the hunk. `foreign`: it is none of it, so the hunk is not whole. */
function readInHunk(hunk: Hunk, line: string): 'goes on' | 'taken' | 'foreign' {
  const kind = KINDS[line[0] ?? ''];
  if (kind === undefined && line.startsWith('\\')) return 'goes on';
  const isShort = (kind !== 'added' && hunk.leftBefore === 0) || (kind !== 'removed' && hunk.leftAfter === 0);
  if (kind === undefined || isShort) return 'foreign';
  const { path, before, after } = hunk;
  const text = line.slice(1);
  if (kind !== 'added') [hunk.before, hunk.leftBefore] = [before + 1, hunk.leftBefore - 1];
  if (kind !== 'removed') [hunk.after, hunk.leftAfter] = [after + 1, hunk.leftAfter - 1];
  hunk.lines.push({
    path,
    kind,
    before: kind === 'added' ? null : before,
    after: kind === 'removed' ? null : after,
    text,
  });
  return hunk.leftBefore === 0 && hunk.leftAfter === 0 ? 'taken' : 'goes on';
}

const KINDS: Readonly<Record<string, DiffLine['kind']>> = { '+': 'added', '-': 'removed', ' ': 'kept' };

function* eachLine(text: string): Generator<string> {
  let from = 0;
  for (;;) {
    const to = text.indexOf('\n', from);
    if (to === -1) break;
    yield text.slice(from, to);
    from = to + 1;
  }
  if (from < text.length) yield text.slice(from);
}

/** The name after `--- ` or `+++ `, empty for none. Git puts odd names in quotes, and a tab after those with blanks. */
function nameOf(written: string): string {
  if (written === '/dev/null') return '';
  const name = written.startsWith('"') ? unquote(written) : written.replace(/\t$/, '');
  return name.replace(/^[ab]\//, '');
}

const ESCAPES: Readonly<Record<string, string>> = { a: '\u0007', b: '\b', t: '\t', n: '\n', v: '\v', f: '\f', r: '\r' };

function unquote(quoted: string): string {
  return quoted
    .replace(/^"|"\t?$/g, '')
    .replaceAll(/\\([0-7]{3}|.)/g, (_, code: string) =>
      code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (ESCAPES[code] ?? code),
    );
}
