/** Names the source of the content that Git LFS keeps of new files, or says that the content is missing. */
import type { Host } from '@drover/host';

/** Source on this machine. */
export interface ContentOrigin {
  /** The project's archive: an agent can write what it keeps for Git LFS. */
  readonly archive: string;
  readonly sha256Of: Host['sha256'];
}

/** Commits must not be published: content of theirs would not be where main is. */
export interface Lacking {
  readonly kind: 'lacking';
  /** Says what to do. */
  readonly why: string;
}
