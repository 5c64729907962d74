/** Tells whether a working tree where a branch moves is as before or as after, in every file that changes. Most are: two processes say so. */
import { DEADLINES_MS, type Git, git } from '../../git/git.ts';
import { reading } from '../../git/revisions.ts';

/** Path that differs between two commits. */
interface Change {
  readonly path: string;
  readonly before: Entry;
  readonly after: Entry;
}

/** Mode and blob; a mode of zeros where there is no such path. */
type Entry = `${string} ${string}`;

const ABSENT = '000000';

/** Paths that differ between two commits, as both have them. @throws {GitError} */
export async function readChanges(
  context: Git,
  at: string,
  [base, commit]: readonly [string, string],
): Promise<readonly Change[]> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--no-renames', base, commit];
  const records = (await git(context, args, reading(at, 'compare two trees'))).stdout.split('\0');
  const changes: Change[] = [];
  // ":MODE MODE BLOB BLOB LETTER", then the path.
  for (let index = 0; index + 1 < records.length; index += 2) {
    const [before = '', after = '', from = '', to = ''] = (records[index] ?? '').slice(1).split(' ');
    changes.push({ path: records[index + 1] ?? '', before: `${before} ${from}`, after: `${after} ${to}` });
  }
  return changes;
}

/** New files whose places are looked at one by one; with more of them git looks. */
const NEW_FILES_MAX = 2_000;

/** Commits between which a branch moves, and the changes between them. */
interface Move {
  readonly base: string;
  readonly commit: string;
  readonly changes: readonly Change[];
}

/**
 * Tells whether each of these paths is in the index as one of the two commits has it, with a file like that, and
 * nothing lies where no file is to be. False where two processes cannot tell: the caller looks closer then. @throws
 * {GitError}
 */
export async function isUntouched(context: Git, at: string, { base, commit, changes }: Move): Promise<boolean> {
  const options = ['--branch', '--no-renames', '--untracked-files=no', '--ignore-submodules=dirty'];
  const call = { ...reading(at, 'read the status'), timeoutMs: DEADLINES_MS.checkout };
  const { stdout } = await git(context, ['status', '--porcelain=v2', '-z', ...options], call);
  const { head, isUnmerged, listed } = readIndex(stdout);
  if (isUnmerged || (head !== base && head !== commit)) return false;
  const absent: string[] = [];
  for (const { path, before, after } of changes) {
    // Unlisted paths are in the index as in HEAD, and on disk as in the index.
    const { inIndex, isOnDisk } = listed.get(path) ?? { inIndex: head === base ? before : after, isOnDisk: true };
    if (!isOnDisk || (inIndex !== before && inIndex !== after)) return false;
    if (inIndex.startsWith(ABSENT)) absent.push(path);
  }
  return absent.length <= NEW_FILES_MAX && (await areFree(context, at, absent));
}

interface InIndex {
  readonly head: string | undefined;
  readonly isUnmerged: boolean;
  /** Paths that differ from HEAD in the index, or from the index on disk. */
  readonly listed: ReadonlyMap<string, { readonly inIndex: Entry; readonly isOnDisk: boolean }>;
}

/** Reads `git status --porcelain=v2 -z --branch`: "1 XY SUB mH mI mW hH hI PATH". */
function readIndex(text: string): InIndex {
  const listed = new Map<string, { inIndex: Entry; isOnDisk: boolean }>();
  let head: string | undefined;
  let isUnmerged = false;
  for (const record of text.split('\0')) {
    if (record.startsWith('# branch.oid ')) head = record.slice('# branch.oid '.length);
    if (record.startsWith('u ')) isUnmerged = true;
    if (!record.startsWith('1 ')) continue;
    const [, letters = '', , , mode = '', , , blob = '', ...path] = record.split(' ');
    listed.set(path.join(' '), { inIndex: `${mode} ${blob}`, isOnDisk: letters.endsWith('.') });
  }
  return { head, isUnmerged, listed };
}

/** Tells whether nothing is at these paths, and only directories above them. */
async function areFree({ files }: Git, at: string, paths: readonly string[]): Promise<boolean> {
  const kinds = new Map<string, string>();
  for (const path of paths) {
    const parts = path.split('/');
    for (let depth = 1; depth <= parts.length; depth += 1) {
      const place = parts.slice(0, depth).join('/');
      const kind = kinds.get(place) ?? (await files.stat(`${at}/${place}`))?.kind ?? 'nothing';
      kinds.set(place, kind);
      if (kind === 'nothing') break;
      if (kind !== 'directory' || depth === parts.length) return false;
    }
  }
  return true;
}
