/** Holds parcels between simulated machines: a parcel lies with the coordinator, under the digest of its content. */
import { createHash } from 'node:crypto';
import type { SimSave } from '@drover/testkit';

/** Content of a parcel. */
export type Parcel =
  | { readonly kind: 'checkpoint'; readonly commit: string; readonly save: SimSave }
  | { readonly kind: 'conversation'; readonly words: readonly string[] }
  | { readonly kind: 'work'; readonly commit: string; readonly workerId: string };

/** All parcels that were sent. */
export class SimParcels {
  readonly #sent = new Map<string, Parcel>();

  /** @returns what names it. */
  send(parcel: Parcel): { readonly sha256: string; readonly bytes: number } {
    const text = JSON.stringify(parcel);
    const sha256 = createHash('sha256').update(text).digest('hex');
    this.#sent.set(sha256, parcel);
    return { sha256, bytes: text.length };
  }

  /** Returns the parcel; null: nothing of that name was sent, or it was kept for too long. */
  fetch(sha256: string): Parcel | null {
    return this.#sent.get(sha256) ?? null;
  }
}
