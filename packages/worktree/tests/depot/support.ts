/** A yard with a depot, and a port that is an older git, or dies. */
import type { DepotPlace, Git } from '../../src/index.ts';
import { WORKER, type Yard, makeYard } from '../support.ts';

/** Place of a yard's depot, and the target that it serves. */
export function placeIn({ depot }: Yard): DepotPlace {
  return depot;
}

/** A yard whose worker has one commit while main went on. */
export async function makeWork(): Promise<Yard & { readonly head: string }> {
  const yard = await makeYard();
  const head = await yard.commit(yard.worktree, { 'w.txt': 'w\n', 'b.txt': undefined }, 'the work');
  await yard.commit(yard.source, { 'main.txt': 'm\n' }, 'meanwhile');
  return { ...yard, head };
}

/** Inputs of a candidate, for the work at a commit. */
export function workAt({ worktree: clone }: Yard, head: string, began: string | null = null) {
  return { worker: WORKER, clone, head, began } as const;
}

/** A git as it was before 2.38: it has no merge without files. */
export function olderGit(git: Git): Git {
  return {
    ...git,
    run: async (program, args, options) =>
      args.includes('merge-tree')
        ? { status: 129, signal: undefined, stdout: '', stderr: 'usage: git merge-tree <base-tree>', timedOut: false }
        : git.run(program, args, options),
  };
}
