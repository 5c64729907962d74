/** Defines what a carrier needs of the machine that main is on, where that is another machine. */
import type { Host } from '@drover/host';
import type { Identity } from '../../project/identity.ts';
import type { PublishOutcome, PublishRequest } from './outcome.ts';

/** A file in the spool: commits, or the content of one file. */
export interface ParcelFile {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** The machine that main is on, and what files need on their way. Every act may be repeated. */
export interface Home {
  /** The commit of main there, and the format of ids. */
  readMain(): Promise<{ readonly commit: string; readonly format: string }>;
  /** The author of commits in its repository, as it said with the last `readMain`; null: it has not said. */
  readonly identity: Identity | null;
  /** Fetches a parcel with the commit of main, without what `not` have, into the spool. */
  fetch(request: { readonly commit: string; readonly not: readonly string[] }): Promise<ParcelFile>;
  /** Sends the parcel, and has its commit published there. `incomplete`: it builds on commits that are not there. */
  publish(file: ParcelFile, request: PublishRequest): Promise<PublishOutcome | { readonly kind: 'incomplete' }>;
  /** Sends the content of a file that Git LFS keeps, and has it kept there, where it must be what its name says. */
  keep(file: ParcelFile): Promise<void>;
  settle(): Promise<void>;
  /** A directory that only Drover can write to. */
  readonly spool: string;
  /** Names the work: no two at once have the same. */
  readonly id: string;
  /** Bytes of the largest parcel. */
  readonly maxBytes: number;
  readonly sha256Of: Host['sha256'];
}
