/** Writes a path of a repository for people, as one word of one line that can be typed back. */
import { escapeHidden } from '@drover/core/hidden-characters';

/** Returns the path unchanged, or as a string of JSON if it would not be parsed back as itself. */
export function writtenPath(path: string): string {
  const quoted = escapeHidden(JSON.stringify(path));
  const isOdd = quoted !== `"${path}"` || /^["#\s-]|\s$|:\s|:-?\d/u.test(path) || path === '';
  return isOdd ? quoted : path;
}
