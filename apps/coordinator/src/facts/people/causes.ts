/** Converts the cause of a change: as stored beside it, and as people read it. */
import type { Actor } from '@drover/api';
import type { Cause } from '@drover/store';
import { z } from 'zod';

/** Parses a cause in the payload of due work, which a coordinator wrote. */
export const storedCause = z.custom<Cause>((value) => typeof value === 'object' && value !== null && 'kind' in value);

/** Cause of changes that follow from time and state alone. */
export const POLICY: Cause = { kind: 'policy' };

/** Builds the cause for a caller of the API. */
export function causeOf({ kind, id, name, via, place }: Actor): Cause {
  const by = { ...(via !== undefined && { via }), ...(place !== undefined && { place }) };
  return { kind, id, name, ...by };
}

/** Formats a cause: `person NAME`, `worker NAME`, `machine NAME` or `policy`. */
export function tellCause(cause: Cause): string {
  return cause.kind === 'policy' ? 'policy' : `${cause.kind} ${cause.name}`;
}
