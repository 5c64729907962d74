/** When does a limit end, as the screen says it? */

/** Words that tell when something is tried again or a limit ends. */
const RESETS = /\bresets?\s+(?:at\s+|on\s+)?(?<when>(?:in\s+)?[A-Z]?[\w: ,]*\d[\w: ,]*(?:\([\w/+-]+\))?)/u;
const RETRIES =
  /\bretry(?:ing)?\s+(?:again\s+)?(?:in|after)\s+(?<when>\d+\s*(?:ms|[smhd]\w*)?(?:\s*\d+\s*[smh]\w*)*)/iu;
const TRY_AGAIN = /\btry again (?:at|in)\s+(?<when>[\w: ]*\d[\w: ]*)/iu;

/** The words that tell when, such as `7pm (Europe/Berlin)` or `7s`; null when the text does not say. */
export function resetWords(text: string): string | null {
  for (const pattern of [RETRIES, RESETS, TRY_AGAIN]) {
    const when = pattern.exec(text)?.groups?.['when']?.trim();
    if (when !== undefined && when !== '') return when;
  }
  return null;
}
