// Describes the answers to requests of the public API with a key.

/** A request that names itself. `requestSha256` is of its method, path and body; `id` is for its use case if the key is new. */
export interface KeyedRequest {
  /** The id of the token. */
  readonly caller: string;
  readonly key: string;
  readonly id: string;
  readonly requestSha256: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

export type KeyUse =
  /** Same request, not answered yet: it is carried out with this id. */
  | { readonly kind: 'open'; readonly id: string }
  | { readonly kind: 'answered'; readonly status: number; readonly body: unknown }
  /** Different request. */
  | { readonly kind: 'other' };

/** Keys count for so long, in milliseconds. Source: docs/api.md. */
export const KEY_KEPT_MS = 24 * 3_600_000;
