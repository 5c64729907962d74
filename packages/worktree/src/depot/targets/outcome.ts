/** Describes a publication and its outcome. */
import type { ContentOrigin, Lacking } from '../../content/origin.ts';
import type { Checkout } from './source-files.ts';

/** Commit of the depot, and the commit of main that it is based on. */
export interface PublishRequest {
  readonly worker: string;
  readonly base: string;
  readonly commit: string;
  /** Source of the content that Git LFS keeps of the new files. Absent: the target has it, or the commit is refused. */
  readonly content?: ContentOrigin;
}

/** Outcome of publishing. Main is unchanged in all cases but the first. */
export type PublishOutcome =
  /** Main contains the commit, by this call or an earlier one. */
  | { readonly kind: 'published'; readonly checkout: Checkout }
  /** Main is no longer at `base`. Undefined: it is gone. */
  | { readonly kind: 'moved'; readonly now: string | undefined }
  /** Files of a person would be overwritten. */
  | { readonly kind: 'blocked'; readonly path: string; readonly files: readonly string[] }
  /** Content that Git LFS keeps of it would not be where main is; `why` says what to do. */
  | Lacking
  /** The target does not take it, in its own words. */
  | { readonly kind: 'refused'; readonly words: string };
