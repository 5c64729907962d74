/** Finds markers that git wrote and the agent left in a rebased work. */
import { DEADLINES_MS, type Git, git } from '../git/git.ts';
import { reading } from '../git/revisions.ts';
import type { ObjectView } from '../review/object-view.ts';
import { type Entry, isFile } from './changes.ts';
import type { Sides } from './sides.ts';

/** A marker that was left. `line` counts from 1. */
export interface MarkerLeft {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** The length of git's markers, unless the attribute `conflict-marker-size` says another one. */
const SIZE = 7;
/** Files that are read for their markers: a rebase with more of them needs a person anyway. */
const FILES_READ_MAX = 500;

/** Rules that tell the markers of one file from text. */
interface Reading {
  readonly size: number;
  /** True if both sides have changed the file: only there a line of `=` alone can be a marker. */
  readonly isBoth: boolean;
}

/**
 * The markers in files that differ between `onto` and `head`. A line that `onto` has, or that the work itself has added, is text
 * that only looks like a marker: it may be there as often as it was.
 *
 * @throws {GitError}
 */
export async function markersLeft(
  view: ObjectView,
  work: { readonly attributes: Git; readonly worktree: string; readonly sides: Sides; readonly range: Range },
): Promise<readonly MarkerLeft[]> {
  const { made } = work.sides;
  const changed = [...made.paths].flatMap(([path, { after }]) => (isFile(after) ? [path] : []));
  if (changed.length === 0) return [];
  const sizes = await markerSizes(work.attributes, work.worktree, changed);
  const suspects = await filesWithMarkers(view, work.range, Math.min(SIZE, ...sizes.values()));
  const found: MarkerLeft[] = [];
  for (const path of suspects.slice(0, FILES_READ_MAX)) {
    const size = sizes.get(path) ?? SIZE;
    found.push(...(await markersOf(view, work.sides, { path, size })));
  }
  return found;
}

type Range = readonly [onto: string, head: string];

async function markersOf(
  view: ObjectView,
  { own, others, made }: Sides,
  { path, size }: { readonly path: string; readonly size: number },
): Promise<readonly MarkerLeft[]> {
  const names = [path, ...sourcesOf(own.renames, path), ...sourcesOf(others.renames, path)];
  const isBoth = names.some((name) => own.paths.has(name)) && names.some((name) => others.paths.has(name));
  const read = (entry: Entry | null | undefined): Promise<readonly Line[]> => markersIn(view, entry, { size, isBoth });
  const [source = path] = sourcesOf(made.renames, path);
  const ownName = names.find((name) => own.paths.get(name)?.after != null) ?? path;
  const [origin = ownName] = sourcesOf(own.renames, ownName);
  const onto = countTexts(await read(made.paths.get(source)?.before));
  const [after, before] = [await read(own.paths.get(ownName)?.after), await read(own.paths.get(origin)?.before)];
  const [added, had] = [countTexts(after), countTexts(before)];
  const seen = new Map<string, number>();
  return (await read(made.paths.get(path)?.after)).flatMap(({ line, text }) => {
    const times = (seen.get(text) ?? 0) + 1;
    seen.set(text, times);
    const own = Math.max(0, (added.get(text) ?? 0) - (had.get(text) ?? 0));
    return times > (onto.get(text) ?? 0) + own ? [{ path, line, text }] : [];
  });
}

function sourcesOf(renames: ReadonlyMap<string, string>, path: string): readonly string[] {
  return [...renames].flatMap(([from, to]) => (to === path ? [from] : []));
}

interface Line {
  readonly line: number;
  readonly text: string;
}

function countTexts(lines: readonly Line[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { text } of lines) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** Reads the size of markers in these files where it is not git's own. Present attributes can only add lines to look for. */
async function markerSizes(context: Git, at: string, paths: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const call = { ...reading(at, 'read the size of markers'), input: paths.map((path) => `${path}\0`).join('') };
  const { stdout } = await git(context, ['check-attr', '-z', '--stdin', 'conflict-marker-size'], call);
  const fields = stdout.split('\0');
  const sizes = new Map<string, number>();
  for (let index = 0; index + 2 < fields.length; index += 3) {
    const size = Number(fields[index + 2]);
    if (Number.isSafeInteger(size) && size > 0) sizes.set(fields[index] ?? '', size);
  }
  return sizes;
}

/** The files in which lines that begin like a marker differ. */
async function filesWithMarkers(
  { git: context, call }: ObjectView,
  range: Range,
  shortest: number,
): Promise<readonly string[]> {
  const args = ['diff-tree', '-r', '-z', '--name-only', '--text', '--find-renames', `-G${pattern(shortest)}`, ...range];
  const place = { ...call, action: 'look for conflict markers', timeoutMs: DEADLINES_MS.write };
  return (await git(context, args, place)).stdout.split('\0').filter((path) => path !== '');
}

function pattern(size: number): string {
  return ['<', '>', '[|]', '='].map((char) => `^${char}{${size},}`).join('|');
}

async function markersIn(
  { git: context, call }: ObjectView,
  entry: Entry | null | undefined,
  how: Reading,
): Promise<readonly Line[]> {
  if (entry == null || !isFile(entry)) return [];
  const args = ['grep', '--text', '-h', '-n', '-E', '-e', pattern(Math.min(SIZE, how.size)), entry.blob];
  const place = { ...call, action: 'read the conflict markers', timeoutMs: DEADLINES_MS.write, allow: [1] };
  return (await git(context, args, place)).stdout.split('\n').flatMap((found) => {
    const [, line, text = ''] = /^(\d+):(.*)$/su.exec(found) ?? [];
    return line !== undefined && isMarker(text, how) ? [{ line: Number(line), text }] : [];
  });
}

function isMarker(text: string, { size, isBoth }: Reading): boolean {
  const [run] = /^(?:<+|>+|\|+|=+)(?=[ \t\r]|$)/u.exec(text) ?? [];
  if (run === undefined) return false;
  const isSized = run.length === size || run.length >= SIZE;
  if (run.startsWith('=')) return isBoth && isAlone(text, run) && (run.length === size || run.length === SIZE);
  return isSized && (isBoth || !run.startsWith('|'));
}

function isAlone(text: string, run: string): boolean {
  return text.trimEnd() === run;
}
