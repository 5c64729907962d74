// Describes parcels: files on their way from one machine to another, in chunks. Parcels may vanish at any time: their
// sender packs them again.

/** Key of a parcel: its sender, and the digest of its content. */
export interface ParcelKey {
  /** The sender. */
  readonly machineId: string;
  /** Hash of the whole file, in lower-case hexadecimal. */
  readonly sha256: string;
}

/** A parcel and which of its chunks are there. */
export interface ParcelRow extends ParcelKey {
  readonly bytes: number;
  /** Time when its sender last opened it, epoch milliseconds. */
  readonly openedAt: number;
  /** Numbers of the chunks, from 0, in order. */
  readonly chunks: readonly number[];
}

/**
 * Use that a command of a machine must name: the sending of any parcel (to pack one, to publish, or to have it
 * checked), or the taking of this one.
 */
export type ParcelUse = { readonly kind: 'pack' } | ({ readonly kind: 'unpack' } & ParcelKey);

/** The queries by which a machine sends a parcel, and takes one: of work, of a conversation, and of what it publishes, checks or keeps for another. */
export const PARCEL_QUERIES = {
  pack: ['pack', 'pack-conversation'],
  unpack: ['unpack', 'place-conversation', 'publish-for', 'keep-content', 'check-for'],
} as const;

/** The commands within which a machine sends a parcel: what it publishes, and what another one checks for it. */
export const SENDING_COMMANDS = ['publish', 'validate'] as const;
