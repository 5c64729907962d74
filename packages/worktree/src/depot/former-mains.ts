/**
 * Finds what somebody dropped from the default branch by rewriting it. Work that began on a dropped commit would bring that back with it: a
 * merge counts it as part of the work. The depot keeps each place where it has seen main, until a later main contains it.
 */
import { git, gitText } from '../git/git.ts';
import { isAncestor } from '../git/revisions.ts';
import { safeRevision } from '../names.ts';
import { type Depot, idsOf, inDepot, mainRef } from './place.ts';

const FORMER = 'refs/drover/mains';

/** Former places of main that are compared with work, the newest first. */
const FORMER_MAX = 100;

/** Keeps where main is in the depot, before it is moved there; forgets the places that it contains. @throws {GitError} */
export async function keepFormerMain(depot: Depot): Promise<void> {
  const main = mainRef(depot.place);
  const call = inDepot(depot, 'keep where the default branch was');
  const args = ['for-each-ref', '--format=%(objectname) %(refname)', `--merged=${main}`, '--', main, FORMER];
  const { status, stdout } = await git(depot.git, args, { ...call, allow: [128, 129] });
  // Main is not in the depot yet.
  if (status !== 0) return;
  const refs = stdout.split('\n').flatMap((line) => {
    const [commit, ref] = line.split(' ');
    return commit === undefined || ref === undefined ? [] : [{ commit, ref }];
  });
  const now = refs.find(({ ref }) => ref === main)?.commit;
  if (now === undefined) return;
  const kept = `${FORMER}/${now}`;
  const left = refs.filter(({ ref }) => ref !== main && ref !== kept);
  const input = [`update ${kept}\0${now}\0\0`, ...left.map(({ ref }) => `delete ${ref}\0\0`)].join('');
  await git(depot.git, ['update-ref', '--stdin', '-z'], { ...call, input });
}

interface Compared {
  /** The commit of main that the work would be merged into. */
  readonly base: string;
  readonly head: string;
  /** Commits that main was at as far as others know, such as the one on which the work began. */
  readonly known: readonly (string | null | undefined)[];
}

/**
 * The newest commit that the work shares with a former main, where main itself does not hold it any more; undefined: there is none. Work
 * that was in main as it is counts as work, and what it stands on does not.
 *
 * @throws {GitError}
 */
export async function droppedFrom(depot: Depot, { base, head, known }: Compared): Promise<string | undefined> {
  const args = ['for-each-ref', '--format=%(objectname)', '--sort=-committerdate', `--count=${FORMER_MAX}`];
  const kept = await gitText(depot.git, [...args, `--no-merged=${base}`, '--', FORMER], inDepot(depot, LOOKING));
  const others = new Set(known.flatMap((commit) => (commit == null || commit === base ? [] : [commit])));
  const found = others.size === 0 ? [] : await idsOf(depot, [...others].map(commitNamed));
  const mains = [...kept.split('\n'), ...found].filter(
    (commit): commit is string => commit !== undefined && commit !== '',
  );
  const isIn = (ancestor: string, descendant: string): Promise<boolean> =>
    isAncestor(depot.git, depot.at, { ancestor, descendant });
  let shared = await sharedWith(depot, { base, head, mains });
  if (shared.includes(head)) {
    const without: string[] = [];
    for (const main of mains) if (!(await isIn(head, main))) without.push(main);
    shared = await sharedWith(depot, { base, head, mains: without });
  }
  for (const commit of shared) if (!(await isIn(commit, base))) return commit;
  return undefined;
}

/** Lists the newest commits that work has in common with main, or with its former places. */
async function sharedWith(
  depot: Depot,
  { base, head, mains }: Pick<Compared, 'base' | 'head'> & { readonly mains: readonly string[] },
): Promise<readonly string[]> {
  if (mains.length === 0) return [];
  const call = { ...inDepot(depot, LOOKING), allow: [1] };
  const shared = await gitText(depot.git, ['merge-base', '--all', head, base, ...mains], call);
  return shared.split('\n').filter((commit) => commit !== '');
}

const LOOKING = 'look for what was dropped from the default branch';

function commitNamed(commit: string): string {
  return `${safeRevision(commit)}^{commit}`;
}

/** Says of a dropped commit that it is gone. */
export function tellDropped(dropped: string): string {
  return `the default branch was rewritten: ${dropped.slice(0, 12)} is no longer in it`;
}
