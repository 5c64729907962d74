/** A short, stable name for a text. */

/** FNV-1a over UTF-16 units, run twice with different seeds. Not for security. Source: isthe.com/chongo/tech/comp/fnv */
export function hashOf(text: string): string {
  return `${fnv(text, 0x811c9dc5)}${fnv(text, 0x9dc5811c)}`;
}

function fnv(text: string, seed: number): string {
  let hash = seed;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
