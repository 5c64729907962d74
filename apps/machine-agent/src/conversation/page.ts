/** Makes a page of a conversation: redacted, cut, and searched on this machine, so that no secret leaves it. */
import { ENTRIES_MAX, ENTRY_CHARS_MAX } from '@drover/protocol';
import type { ConversationEntry, Query, QueryResult, Redactor } from '@drover/protocol';
import { entriesOf } from './entries.ts';
import type { Said } from './entries.ts';
import type { PlacedRecord } from './sources.ts';

/** Characters of a page: what a browser shows without a pause. */
const PAGE_CHARS_MAX = 256 * 1024;
/** Characters that one search reads; the next page goes on from there. */
const SCAN_CHARS_MAX = 24 * 1024 * 1024;

type Wanted = Pick<Extract<Query, { kind: 'read-conversation' }>, 'find' | 'limit'>;
type Page = Pick<Extract<QueryResult, { kind: 'conversation' }>, 'entries' | 'before'>;

/** @param records The last one first. A page begins and ends between two records. */
export async function pageOf(
  records: AsyncIterable<PlacedRecord>,
  { find, limit }: Wanted,
  redactor: Pick<Redactor, 'text'>,
): Promise<Page> {
  const words = find?.toLowerCase() ?? '';
  let entries: readonly ConversationEntry[] = [];
  let before: string | null = null;
  let [chars, scanned] = [0, 0];
  for await (const { record, place, size } of records) {
    if (entries.length >= limit || scanned >= SCAN_CHARS_MAX) return { entries, before };
    const said = entriesOf(record)
      .filter(({ text }) => text.trim() !== '')
      .slice(-ENTRIES_MAX)
      .map((one) => shownOf(one, redactor))
      .filter((entry) => holds(entry, words));
    chars += said.reduce((sum, { text }) => sum + text.length, 0);
    const isFull = entries.length + said.length > ENTRIES_MAX || chars > PAGE_CHARS_MAX;
    if (isFull && entries.length > 0) return { entries, before };
    entries = [...said, ...entries];
    before = place;
    scanned += size;
  }
  return { entries, before: null };
}

/** A call without input is still a call. */
function shownOf(said: Said, redactor: Pick<Redactor, 'text'>): ConversationEntry {
  // Redacts the whole before the cut: half of a secret is not known as one.
  const whole = redactor.text(said.text);
  const shown = { text: whole.slice(0, ENTRY_CHARS_MAX), isCut: whole.length > ENTRY_CHARS_MAX };
  return said.kind === 'call'
    ? { ...said, ...shown, tool: redactor.text(said.tool).slice(0, 200) }
    : { ...said, ...shown };
}

function holds(entry: ConversationEntry, words: string): boolean {
  if (words === '') return true;
  const tool = entry.kind === 'call' ? entry.tool : '';
  return `${tool} ${entry.text}`.toLowerCase().includes(words);
}
