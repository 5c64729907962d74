/** Finds the words on a screen that say when a limit ends. `core` turns them into a time. */

/** Words that tell when something is tried again or a limit ends. */
const RETRIES =
  /\bretry(?:ing)?\s+(?:again\s+)?(?:in|after)\s+(?<when>\d+\s*(?:ms|[smhd]\w*)?(?:\s*\d+\s*[smh]\w*)*)/iu;
const RESETS =
  /\bresets?\s{1,9}(?:at\s{1,9}|on\s{1,9})?(?<when>(?:in\s{1,9})?[\w: ,]{0,60}\d[\w: ,]{0,60}(?:\([\w/+-]{1,60}\))?)/u;
const TRY_AGAIN =
  /\b(?:try again|continu(?:e|ing) automatically) (?:at|in)\s{1,9}(?<when>[\w: ,]{0,60}\d[\w: ,]{0,60})/iu;

/** The words that tell when, such as `7pm (Europe/Berlin)` or `7s`; null when the text does not say. */
export function resetWords(text: string): string | null {
  for (const pattern of [RETRIES, RESETS, TRY_AGAIN]) {
    const when = pattern.exec(text)?.groups?.['when']?.trim();
    if (when !== undefined && when !== '') return when;
  }
  return null;
}
