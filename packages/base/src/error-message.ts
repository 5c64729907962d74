/** Reads what was thrown. */

/** Message of what was thrown: anything can be. A connection that failed on several addresses has no message of its own. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '' || !(error instanceof AggregateError)) return error.message;
  return error.errors.map(messageOf).join('; ');
}
