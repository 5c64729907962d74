// Agent profiles of the fleet.

/** Agent profiles that replace or add to those of the build. */
export interface ProfileSet {
  readonly revision: number;
  readonly documents: readonly { readonly name: string; readonly revision: number; readonly document: unknown }[];
}
