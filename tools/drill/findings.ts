/** Result of a drill: what it saw, and what was not as promised. */
export interface Findings {
  readonly lines: readonly string[];
  readonly problems: readonly string[];
}
