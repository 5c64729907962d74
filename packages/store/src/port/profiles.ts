// Agent profiles of the fleet.

/** Agent profiles that replace or add to those of the build. */
export interface ProfileSet {
  readonly revision: number;
  readonly documents: readonly { readonly name: string; readonly revision: number; readonly document: unknown }[];
}

/** What is done to profiles inside a transaction. */
export interface ProfileTransaction {
  /** Replaces a document; null takes it back. @returns the new revision. */
  putProfile(name: string, document: unknown, now: number): Promise<number>;
}

/** What is read or written of profiles by itself. */
export interface ProfileStore {
  /** Profile documents beside those of the build, with the newest revision among them; 0 when there never was one. */
  readProfiles(): Promise<ProfileSet>;
}
