/** Finds the words on a screen that say when a limit ends. `core` turns them into a time. */

/** Words that tell when something is tried again or a limit ends. */
const RETRIES =
  /\bretry(?:ing)?\s+(?:again\s+)?(?:in|after)\s+(?<when>\d+\s*(?:ms|[smhd]\w*)?(?:\s*\d+\s*[smh]\w*)*)/iu;
const RESETS = /\bresets?\s+(?:at\s+|on\s+)?(?<when>(?:in\s+)?[\w: ,]*\d[\w: ,]*(?:\([\w/+-]+\))?)/u;
const TRY_AGAIN = /\btry again (?:at|in)\s+(?<when>[\w: ,]*\d[\w: ,]*)/iu;

/** The words that tell when, such as `7pm (Europe/Berlin)` or `7s`; null when the text does not say. */
export function resetWords(text: string): string | null {
  for (const pattern of [RETRIES, RESETS, TRY_AGAIN]) {
    const when = pattern.exec(text)?.groups?.['when']?.trim();
    if (when !== undefined && when !== '') return when;
  }
  return null;
}
