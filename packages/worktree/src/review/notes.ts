/**
 * Notes what a reviewer should know beside the diff: characters that do not show, links, modes, submodules, pointers.
 * Reads git's objects by the names of two commits, so that attributes and settings of the repository change nothing.
 */
import { countBidirectional, countHidden } from '@drover/core';
import { diffLines, type ReviewNote } from '@drover/protocol';
import { findContent } from '../content/store.ts';
import { git, OUTPUT_BYTES_MAX } from '../git/git.ts';
import { type Change, type OpenChange, PLAIN_DIFF } from './review.ts';
import { LFS_POINTER_BYTES_MAX, pointedSize, readPointer, readsAsPointerLine } from './lfs-pointer.ts';
import { linkNote } from './links.ts';
import { submoduleNotes } from './submodules.ts';

/** Notes of one kind that are listed; the others are counted. More than a person reads in one go. */
const LISTED_MAX = 50;
/** Bytes of all notes: names and targets can be long, and the diff goes into the same message. */
const NOTES_BYTES_MAX = 256 * 1024;

const EXECUTABLE = '100755';
const LINK = '120000';
const SUBMODULE = '160000';
const NOTHING = '000000';

/**
 * The notes on a change, those that are easily overlooked first. With an archive they tell whether it has what pointers mean.
 *
 * @throws {GitError}
 */
export async function reviewNotes(
  shown: OpenChange,
  { archive }: { readonly archive?: string } = {},
): Promise<ReviewNote[]> {
  const { found, pointers, isCut } = await searchText(shown);
  const links = shown.changes.filter(({ modes: [, after] }) => after === LINK);
  const gitlinks = shown.changes.filter(({ modes }) => modes.includes(SUBMODULE));
  return withinLimit([
    ...listed(found),
    ...listed(await eachUpTo(links, (change) => linkNote(shown, change))),
    ...listed(await submoduleNotes(shown, gitlinks)),
    ...listed(shown.changes.flatMap(modeNote)),
    ...listed(await eachUpTo(pointers, (change) => pointerNote(shown, change, archive))),
    ...listed(shown.changes.flatMap(binaryNote)),
    ...(isCut ? [{ kind: 'searched-first', bytes: OUTPUT_BYTES_MAX } as const] : []),
  ]);
}

/** Keeps as many notes as fit a message; the others are counted. */
function withinLimit(notes: readonly ReviewNote[]): ReviewNote[] {
  let bytes = 0;
  const first = notes.findIndex((note) => (bytes += Buffer.byteLength(JSON.stringify(note))) > NOTES_BYTES_MAX);
  if (first === -1) return [...notes];
  return [...notes.slice(0, first), { kind: 'more', of: 'long names', count: notes.length - first }];
}

/** The first of these, and how many more there are. All are of one kind. */
function listed(notes: readonly (ReviewNote | Left)[]): ReviewNote[] {
  const whole = notes.filter((note) => note.kind !== 'left');
  const left = notes.length - whole.length + Math.max(0, whole.length - LISTED_MAX);
  const [first] = whole;
  if (first === undefined || left === 0) return whole;
  return [...whole.slice(0, LISTED_MAX), { kind: 'more', of: first.kind, count: left }];
}

/** Link that git was not asked about, because enough are listed. */
interface Left {
  readonly kind: 'left';
}

async function eachUpTo(
  changes: readonly Change[],
  noteOf: (change: Change) => Promise<ReviewNote | null>,
): Promise<(ReviewNote | Left)[]> {
  const notes: (ReviewNote | Left)[] = [];
  for (const change of changes) {
    const note = notes.length < LISTED_MAX ? await noteOf(change) : ({ kind: 'left' } as const);
    if (note !== null) notes.push(note);
  }
  return notes;
}

interface Searched {
  readonly found: readonly ReviewNote[];
  /** Files that got lines as a pointer of Git LFS has them. */
  readonly pointers: readonly Change[];
  readonly isCut: boolean;
}

/** Looks through every line that the work adds. */
async function searchText({ git: context, call, range, changes }: OpenChange): Promise<Searched> {
  const args = ['diff', ...PLAIN_DIFF, '--unified=0', '--src-prefix=a/', '--dst-prefix=b/', range, '--'];
  const answer = await git(context, args, { ...call('search the change'), mayCut: true });
  const hidden = new Map(changes.map((change) => [change.path, hiddenInName(change)]));
  const pointerLines = new Map<string, number>();
  for (const { path, kind, text } of diffLines(answer.stdout)) {
    if (kind !== 'added') continue;
    const line = text.replace(/\r$/, '');
    const { characters, bidirectional } = hidden.get(path) ?? NONE;
    const [more, turning] = [countHidden(line), countBidirectional(line)];
    if (more > 0) hidden.set(path, { characters: characters + more, bidirectional: bidirectional + turning });
    if (readsAsPointerLine(line)) pointerLines.set(path, (pointerLines.get(path) ?? 0) + 1);
  }
  const found = [...hidden]
    .filter(([, { characters }]) => characters > 0)
    .map(([path, counts]) => ({ kind: 'hidden-characters', path, ...counts }) as const);
  return { found, pointers: changes.filter(({ path }) => pointerLines.has(path)), isCut: answer.cut };
}

interface Hidden {
  readonly characters: number;
  readonly bidirectional: number;
}

const NONE: Hidden = { characters: 0, bidirectional: 0 };

/** Looks only at a name that the work gives. */
function hiddenInName({ path, from, modes: [before] }: Change): Hidden {
  const isGiven = from !== undefined || before === NOTHING;
  return isGiven ? { characters: countHidden(path), bidirectional: countBidirectional(path) } : NONE;
}

/** Links and submodules have their own notes. */
function modeNote({ path, modes: [before, after] }: Change): ReviewNote[] {
  if (after === NOTHING || after === LINK || after === SUBMODULE || before === after) return [];
  if (before === NOTHING) return after === EXECUTABLE ? [{ kind: 'mode', path, before: null, after }] : [];
  return [{ kind: 'mode', path, before, after }];
}

function binaryNote({ path, bytes }: Change): ReviewNote[] {
  return bytes === undefined ? [] : [{ kind: 'binary', path, before: bytes[0], after: bytes[1] }];
}

async function pointerNote(
  { git: context, call }: OpenChange,
  { path, ids }: Change,
  archive: string | undefined,
): Promise<ReviewNote | null> {
  const [, id] = ids;
  if (id === null) return null;
  const limits = { maxOutputBytes: LFS_POINTER_BYTES_MAX, mayCut: true };
  const { stdout, cut } = await git(context, ['cat-file', 'blob', id], { ...call('read a pointer'), ...limits });
  const bytes = cut ? null : pointedSize(stdout);
  if (bytes === null) return null;
  const content = archive === undefined ? null : readPointer(stdout);
  if (archive === undefined || content === null) return { kind: 'lfs-pointer', path, bytes };
  return {
    kind: 'lfs-pointer',
    path,
    bytes,
    isHere: (await findContent(context.files, archive, content)).length > 0,
  };
}
