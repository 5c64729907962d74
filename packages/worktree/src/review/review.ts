/** Shows what a worker did since the default branch: diff, statistics and commits for a reviewer, whatever the repository says. */
import { sizesOf, textsAmong } from './binary-files.ts';
import { DEADLINES_MS, type Git, type GitCall, git } from '../git/git.ts';
import { openObjectView } from './object-view.ts';

/** A worktree, the branch its work is compared with, and the work: HEAD unless it is named by its commit. */
export interface ReviewRange {
  readonly path: string;
  readonly base: string;
  readonly head?: string;
  /** The worker's own commit, where `head` is made of it to be shown; absent: `head`. */
  readonly work?: string;
  /** The newest of the default branch that is known here; absent: `base`. */
  readonly main?: string;
}

/** The change of one file. Lines are undefined for binary files. */
export interface LineCounts {
  readonly path: string;
  /** The old name of a renamed file. */
  readonly from: string | undefined;
  readonly added: number | undefined;
  readonly deleted: number | undefined;
}

/** The change of one file with what it is. */
export interface ReviewedFile extends LineCounts {
  /** Git's modes: `100755` is executable, `120000` a symbolic link, `160000` a submodule, `000000` nothing. */
  readonly modes: readonly [before: string, after: string];
  /** Sizes of a binary file. */
  readonly bytes: readonly [before: number, after: number] | undefined;
}

/** Commit ahead of the default branch. */
interface CommitFacts {
  readonly commit: string;
  readonly subject: string;
  readonly author: { readonly name: string; readonly email: string };
  /** Epoch milliseconds. */
  readonly committedAt: number;
}

/** Bytes of a diff shown to a reviewer: some 15,000 lines, more than anybody reads in one go. */
const DIFF_BYTES_MAX = 1024 * 1024;
/** Commits listed for a review. */
const COMMITS_LISTED_MAX = 200;

/** Options of a diff that no setting changes. */
export const PLAIN_DIFF = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--find-renames',
  '--submodule=short',
  '--ignore-submodules=none',
];

/** The committed change since the branches parted, as a unified diff. `cut` when it was longer than `maxBytes`. */
export async function diff(
  shown: OpenChange,
  { maxBytes = DIFF_BYTES_MAX }: { readonly maxBytes?: number } = {},
): Promise<{ readonly text: string; readonly cut: boolean }> {
  const args = ['diff', ...PLAIN_DIFF, '--src-prefix=a/', '--dst-prefix=b/', shown.range, '--'];
  const answer = await git(shown.git, args, {
    ...shown.call('read the diff'),
    maxOutputBytes: maxBytes,
    mayCut: true,
  });
  return { text: withSizes(answer.stdout, shown.changes), cut: answer.cut };
}

/** The changed files of {@link diff} with their numbers of lines. */
export function stat({ changes }: OpenChange): ReviewedFile[] {
  return changes.map(({ path, from, added, deleted, modes, bytes }) => {
    return { path, from, added, deleted, modes, bytes };
  });
}

/** The commits ahead of the default branch, newest first, at most {@link COMMITS_LISTED_MAX}. */
export async function commits({ git: context, call, base, work }: OpenChange): Promise<CommitFacts[]> {
  const format = '--format=%H%x00%an%x00%ae%x00%ct%x00%s%x00';
  const args = ['log', format, `--max-count=${COMMITS_LISTED_MAX}`, `${base}..${work}`, '--'];
  const { stdout } = await git(context, args, call('list the commits'));
  const fields = stdout.split('\0');
  const list: CommitFacts[] = [];
  for (let index = 0; index + 4 < fields.length; index += 5) {
    const [commit = '', name = '', email = '', seconds = '0', subject = ''] = fields.slice(index, index + 5);
    list.push({ commit: commit.trim(), subject, author: { name, email }, committedAt: Number(seconds) * 1000 });
  }
  return list;
}

/** File of a change; its objects are null where there is none. */
export interface Change extends ReviewedFile {
  readonly ids: readonly [before: string | null, after: string | null];
}

/** The change, in a view of its objects in which text is text. */
export interface OpenChange extends AsyncDisposable {
  readonly git: Git;
  /** Ids of the commits of its {@link ReviewRange}. */
  readonly base: string;
  readonly head: string;
  readonly work: string;
  readonly main: string;
  /** `base` and `head`, for git. */
  readonly range: string;
  readonly changes: readonly Change[];
  call(action: string): GitCall;
}

/** Opens the change in one view of its objects alone, for all that is read of it. @throws {GitError} */
export async function openChange(
  context: Git,
  { path, base: from, head: to = 'HEAD', work: own = to, main: newest = from }: ReviewRange,
): Promise<OpenChange> {
  const view = await openObjectView(context, path, [from, to, own, newest]);
  try {
    const call = (action: string): GitCall => ({ ...view.call, action, timeoutMs: DEADLINES_MS.write });
    const [base = '', head = '', work = '', main = ''] = view.commits;
    const range = `${base}...${head}`;
    const read = (): Promise<Change[]> => changesOf(view.git, range, call('count the changes'));
    const first = await read();
    const opaque = first.filter(isOpaque);
    const ids = opaque.flatMap((change) => change.ids.filter((id) => id !== null));
    const sizes = await sizesOf(view.git, call('read sizes'), ids);
    const texts = await textsAmong(view.git, call('look into files'), { pairs: opaque, sizes });
    if (texts.length > 0) await view.treatAsText(texts.flatMap(({ path, from = path }) => [from, path]));
    const changes = (texts.length > 0 ? await read() : first).map((change) => {
      const [before, after] = change.ids.map((id) => (id === null ? 0 : (sizes.get(id) ?? 0)));
      return isOpaque(change) ? { ...change, bytes: [before ?? 0, after ?? 0] as const } : change;
    });
    const dispose = (): PromiseLike<void> => view[Symbol.asyncDispose]();
    return { git: view.git, base, head, work, main, range, changes, call, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await view[Symbol.asyncDispose]();
    throw error;
  }
}

/** Git prints nothing of it but that it differs. */
function isOpaque({ added, ids: [before, after] }: Change): boolean {
  return added === undefined && before !== after;
}

async function changesOf(context: Git, range: string, call: GitCall): Promise<Change[]> {
  const args = ['diff', ...PLAIN_DIFF, '--raw', '--no-abbrev', '--numstat', '-z', range, '--'];
  const { stdout } = await git(context, args, call);
  const records = stdout.split('\0');
  const heads: Pick<Change, 'modes' | 'ids'>[] = [];
  let index = 0;
  // `:MODE MODE ID ID STATUS`, then one name, or two where it is a rename or a copy.
  for (; (records[index] ?? '').startsWith(':'); index += 2) {
    const [before = '', after = '', one = '', other = '', status = ''] = (records[index] ?? '').slice(1).split(' ');
    if (/^[RC]/.test(status)) index += 1;
    heads.push({ modes: [before, after], ids: [idOf(one), idOf(other)] });
  }
  const stats = parseNumstat(records.slice(index).join('\0'));
  return stats.map((file, at) => ({ ...file, ...(heads[at] ?? NOTHING), bytes: undefined }));
}

const NOTHING = { modes: ['000000', '000000'], ids: [null, null] } as const;

function idOf(id: string): string | null {
  return /^0+$/.test(id) ? null : id;
}

/** Git's line about a binary file, with its sizes. No line of a file's own begins like that: each has a sign in front. */
function withSizes(text: string, changes: readonly Change[]): string {
  const binaries = changes.filter(({ bytes }) => bytes !== undefined).values();
  const lines = text.split('\n').map((line) => {
    if (!line.startsWith('Binary files ') || !line.endsWith(' differ')) return line;
    const [before, after] = binaries.next().value?.bytes ?? [];
    return after === undefined ? line : `${line} (${before} → ${after} bytes)`;
  });
  return lines.join('\n');
}

/** Parses `--numstat -z`: a renamed file has an empty name followed by the old and the new one. Pure. */
export function parseNumstat(text: string): LineCounts[] {
  const records = text.split('\0');
  const stats: LineCounts[] = [];
  for (let index = 0; index < records.length; index += 1) {
    const [added, deleted, ...name] = (records[index] ?? '').split('\t');
    if (added === undefined || deleted === undefined) continue;
    const counts = { added: count(added), deleted: count(deleted) };
    const path = name.join('\t');
    if (path !== '') stats.push({ path, from: undefined, ...counts });
    else {
      stats.push({ path: records[index + 2] ?? '', from: records[index + 1], ...counts });
      index += 2;
    }
  }
  return stats;
}

function count(text: string): number | undefined {
  return text === '-' ? undefined : Number(text);
}
