/** Brings a project's main from where it is, and commits to there. */
import type { Depot } from '../place.ts';
import type { PublishOutcome, PublishRequest } from './outcome.ts';

/** Carrier of one kind of target. Every act may be repeated. */
export interface Carrier {
  /** `sha1` or `sha256`. @throws {GitError} */
  objectFormat(): Promise<string>;
  /** The commit of main now, without bringing anything. @throws {GitError} `unknown-revision` without such a branch. */
  readMain(): Promise<string>;
  /** Brings main into the depot's branch of the same name. The first time it looks whether all is there. @throws {GitError} `incomplete`. */
  fetchMain(depot: Depot, options: { readonly isFirst: boolean }): Promise<void>;
  /** Moves main from `base` to `commit`, a descendant of it, in one compare-and-swap. @throws {GitError} */
  publish(depot: Depot, request: PublishRequest): Promise<PublishOutcome>;
  /** Finishes a publication that was cut off after it had moved main. @throws {GitError} */
  settle(): Promise<void>;
}
