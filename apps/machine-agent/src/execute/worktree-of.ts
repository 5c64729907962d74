/** Where does a seat's work lie on this machine? */
import type { Seat } from '@drover/protocol';
import { type Git, workerBranch, worktreePath } from '@drover/worktree';
import { gitFor } from '../host/git-ports.ts';
import type { OrderContext } from './tools.ts';

/** A seat's places and the git that works on them. */
export interface Place {
  readonly git: Git;
  readonly repo: string;
  readonly worktree: string;
  readonly branch: string;
  readonly worker: string;
  readonly source: string;
  readonly defaultBranch: string;
}

/** Where a seat's work lies, with a git that ends when the order does. */
export function placeOf({ host, seat, signal }: Pick<OrderContext, 'host' | 'seat' | 'signal'>): Place {
  const { root, source, defaultBranch } = seat.project;
  return {
    git: gitFor(host, seat, signal),
    repo: root,
    worktree: worktreeOf(seat),
    branch: workerBranch(seat.name),
    worker: seat.name,
    source,
    defaultBranch,
  };
}

/** @throws GitError `bad-name`. */
export function worktreeOf({ project, name }: Seat): string {
  return worktreePath(project.root, name);
}
