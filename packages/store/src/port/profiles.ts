// Agent profiles of the fleet.

export interface FleetProfile {
  /** Document of the whole fleet; null: the build's own profile of that name holds. */
  readonly document: unknown;
  /** Change that only machines with the label have so far; null: there is none. */
  readonly staged: { readonly document: unknown; readonly label: string } | null;
  /** Document that the fleet had before; null: there is no way back. */
  readonly former: { readonly document: unknown } | null;
}

export interface ProfileSet {
  readonly revision: number;
  readonly documents: readonly (FleetProfile & { readonly name: string; readonly revision: number })[];
}
