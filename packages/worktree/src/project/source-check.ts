/** Describes the result of a look at a project's source. */
import type { FileChange } from '../git/status.ts';
import type { Upstream } from './upstream.ts';

/** Result of the check. Every case but `ok` is something a person must put right first. */
export type SourceCheck =
  | {
      readonly kind: 'ok';
      readonly root: string;
      readonly defaultBranch: string;
      readonly head: string;
      /** The branch that the default branch follows; undefined where there is none, or the source is elsewhere. */
      readonly upstream: Upstream | undefined;
    }
  | { readonly kind: 'missing' | 'not-a-repository' | 'bare' | 'no-commits' | 'detached'; readonly message: string }
  | { readonly kind: 'no-such-branch'; readonly branch: string; readonly message: string }
  | { readonly kind: 'dirty'; readonly files: readonly FileChange[]; readonly message: string };
