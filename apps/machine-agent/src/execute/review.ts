/** Reads the work of a worker for a review. */
import type { Query, QueryResult, Standing } from '@drover/protocol';
import {
  commits,
  diff,
  type Git,
  type OpenChange,
  openChange,
  pinHead,
  readUpstream,
  type ReviewedFile,
  reviewNotes,
  showWork,
  sides,
  standing,
  stat,
  treeOf,
} from '@drover/worktree';
import { depotPlaceOf } from './depot-of.ts';
import type { CommandContext } from './tools.ts';
import { openPlaceOf, placeOf } from './worktree-of.ts';

/** Bytes of a diff in an answer. Source: the protocol's description of `queryResult`. */
const TEXT_BYTES_MAX = 512 * 1024;

/** Bytes of both sides of all files in an answer, as JSON: with the diff, half of what a message may hold. */
const SIDES_BYTES_MAX = 1_536 * 1024;

/** Answers with the difference that the merge of this work makes, and facts for a reviewer beside it. @throws GitError */
export async function readDiff(
  context: CommandContext,
  {
    began,
    main: against,
    stat: onlyStat,
    head: asked,
    sides: wantsSides = false,
    isPinned,
  }: Extract<Query, { kind: 'read-diff' }>,
): Promise<QueryResult> {
  const { git: guarded, worktree, archive, worker } = placeOf(context);
  // Everything shown is of one commit, whatever the agent commits meanwhile, and read where the agent cannot write.
  const head = asked ?? (await pinHead(guarded, worktree)).head;
  const { git } = openPlaceOf(context);
  const request = { worker, clone: worktree, head, began, main: against, isPinned };
  const { at: path, main, base, dropped, shown: made } = await showWork(git, depotPlaceOf(context), request);
  const tree = await treeOf(git, path, head);
  await using shown = await openChange(git, { path, base, head: made, work: head, main });
  const list = await commits(shown);
  const text = onlyStat ? statText(stat(shown)) : await diffText(context, shown);
  return {
    kind: 'diff',
    text,
    head,
    tree,
    base,
    ...(dropped !== undefined && { dropped }),
    commits: list.map(({ commit, subject, author }) => ({ commit, subject, author: author.name })),
    notes: await reviewNotes(shown, { archive }),
    standing: { ...(await standing(shown)), upstream: await upstreamOf(context, git) },
    ...(wantsSides && { sides: [...(await sides(shown, { maxBytes: SIDES_BYTES_MAX }))] }),
  };
}

/** Branch that the source's default branch lags; null if it lags none, or the source is on another machine. */
async function upstreamOf(context: CommandContext, git: Git): Promise<Standing['upstream']> {
  const { target } = depotPlaceOf(context);
  if (target.kind !== 'source') return null;
  const found = await readUpstream(git, { source: target.source, branch: target.defaultBranch });
  return found === undefined || found.behind === 0
    ? null
    : { name: found.name, behind: found.behind, follows: context.settings.project.follow === 'upstream' };
}

async function diffText(context: CommandContext, shown: OpenChange): Promise<string> {
  const { text, cut } = await diff(shown, { maxBytes: TEXT_BYTES_MAX });
  const note = `[the diff is longer than ${TEXT_BYTES_MAX} bytes and was cut here; "drover review --interface stat" names every file]`;
  return cut ? `${context.redactor.cutText(text, { end: true })}\n${note}\n` : text;
}

/** Lists the files, a line for each. */
function statText(files: readonly ReviewedFile[]): string {
  return files
    .map((file) => {
      const { path, from, added, deleted, bytes } = file;
      const name = from === undefined ? named(path) : `${named(from)} => ${named(path)}`;
      const size = bytes === undefined ? '' : `, ${bytes[0]} → ${bytes[1]} bytes`;
      const lines = added === undefined || deleted === undefined ? `binary${size}` : `+${added} -${deleted}`;
      return [`${name} | ${lines}`, ...kindOf(file)].join(', ');
    })
    .join('\n');
}

/** Quotes a path that would not be one line. */
function named(path: string): string {
  return /\p{Cc}/u.test(path) ? JSON.stringify(path) : path;
}

const NO_FILE = '000000';
const KINDS: Readonly<Record<string, string>> = {
  '100755': 'executable',
  '120000': 'symbolic link',
  '160000': 'submodule',
};

/** Describes changes that the number of lines does not show: a new or deleted file, a special file, or another mode. */
function kindOf({ modes: [before, after] }: ReviewedFile): string[] {
  const is = after === NO_FILE ? before : after;
  const life = before === NO_FILE ? ['new'] : after === NO_FILE ? ['deleted'] : [];
  const mode = life.length === 0 && before !== after ? [`mode ${before} → ${after}`] : [];
  return [...life, ...(KINDS[is] === undefined ? [] : [KINDS[is]]), ...mode];
}
