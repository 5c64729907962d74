/** Finds the known word that a person probably meant. */

/**
 * Finds the candidate that takes the fewest single-letter edits.
 *
 * @returns null when none is near: more than a third of its letters (at least two) would have to change.
 */
export function nearest(word: string, candidates: readonly string[]): string | null {
  let best: { candidate: string; edits: number } | null = null;
  for (const candidate of candidates) {
    const edits = editDistance(word, candidate);
    const tolerable = Math.max(2, Math.floor(candidate.length / 3));
    if (edits <= tolerable && edits < candidate.length && (best === null || edits < best.edits)) {
      best = { candidate, edits };
    }
  }
  return best?.candidate ?? null;
}

/** Computes Levenshtein's distance, one row of the table at a time. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
