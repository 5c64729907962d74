/** Who caused a change: as it is stored beside it, and as people read it. */
import type { Actor } from '@drover/api';
import type { Cause } from '@drover/store';
import { z } from 'zod';

/** A cause in the payload of due work, which a coordinator wrote. */
export const storedCause = z.custom<Cause>((value) => typeof value === 'object' && value !== null && 'kind' in value);

/** What follows from time and state alone. */
export const POLICY: Cause = { kind: 'policy' };

/** The caller of the API. */
export function causeOf({ kind, id, name, via, place }: Actor): Cause {
  const by = { ...(via !== undefined && { via }), ...(place !== undefined && { place }) };
  return { kind, id, name, ...by };
}

/** `person NAME`, `worker NAME`, `machine NAME` or `policy`. */
export function tellCause(cause: Cause): string {
  return cause.kind === 'policy' ? 'policy' : `${cause.kind} ${cause.name}`;
}
