/** How a path of a repository is written for people, so that it is one word of one line and can be typed back. */
import { escapeHidden } from '@drover/core/hidden-characters';

/** As it is, or as a string of JSON where it would not be read back as itself. */
export function writtenPath(path: string): string {
  const quoted = escapeHidden(JSON.stringify(path));
  const isOdd = quoted !== `"${path}"` || /^["#\s-]|\s$|:\s|:-?\d/u.test(path) || path === '';
  return isOdd ? quoted : path;
}
