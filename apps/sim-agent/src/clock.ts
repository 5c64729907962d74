/** Writes times as screens show them. */

/** A time in milliseconds since the epoch, as ISO 8601 in UTC. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** A time of day such as `8:17 PM`, in the local zone. */
export function timeOfDay(ms: number): string {
  return new Date(ms).toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' });
}
