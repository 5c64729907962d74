// Texts that are hard to deliver unchanged.

/** A text, and how it is called in the table. */
export type Sample = { readonly name: string; readonly text: string };

/** Every sample begins or ends with a keyword that makes the model answer at once. */
export const SAMPLES: readonly Sample[] = [
  { name: 'short', text: 'SAY one' },
  { name: 'four lines', text: 'SAY four lines\n\n- first\n  - indented\n- last' },
  { name: '1 KB, many lines', text: `SAY many lines\n${lines(14)}` },
  { name: '1 KB, one line', text: `SAY one long line ${'word '.repeat(200)}end` },
  { name: '8 KB', text: `SAY eight kilobytes\n${lines(110)}` },
  { name: 'unicode', text: 'SAY Grüße, 漢字 テスト, עברית, é as e + U+0301: e\u0301, 🚀👩‍👩‍👧 – “quotes”' },
  { name: 'leading !', text: '! SAY the bang is a word here' },
  { name: 'leading #', text: '# SAY a heading' },
  { name: 'leading @', text: '@someone SAY hello' },
  { name: 'leading path', text: '/usr/share/doc is a path. SAY yes' },
  { name: 'leading -', text: '- SAY a dash' },
  { name: 'tabs', text: 'SAY tabs\tbetween\twords' },
  { name: 'trailing backslash', text: 'SAY it ends with a backslash \\' },
  { name: 'trailing semicolon', text: 'SAY it ends with a semicolon;' },
  {
    name: 'looks like a screen',
    text: 'SAY this is quoted:\n❯ 1. Yes\n  2. No\nesc to interrupt\nDo you want to proceed?',
  },
];

function lines(count: number): string {
  return Array.from(
    { length: count },
    (_, index) => `${index + 1}. A line with several words, "quotes" and $SIGNS. ${'x'.repeat(20)}`,
  ).join('\n');
}

/** Form in which a text arrived at the model. */
export type Arrival =
  | { readonly kind: 'verbatim' }
  | { readonly kind: 'altered'; readonly how: string }
  | { readonly kind: 'absent' };

/** Looks for a text among those that the model received. */
export function arrivalOf(text: string, received: readonly string[]): Arrival {
  if (received.includes(text)) return { kind: 'verbatim' };
  const found = received.find((one) => bare(one).includes(bare(text)));
  if (found === undefined) return { kind: 'absent' };
  return { kind: 'altered', how: differenceBetween(text, found) };
}

function differenceBetween(sent: string, found: string): string {
  if (found.trim() === sent.trim()) {
    const before = found.length - found.trimStart().length - (sent.length - sent.trimStart().length);
    const after = found.length - found.trimEnd().length - (sent.length - sent.trimEnd().length);
    const where = [before === 0 ? '' : `${before} before`, after === 0 ? '' : `${after} after`];
    return `white space added: ${where.filter((part) => part !== '').join(', ')}`;
  }
  if (found.includes(sent)) return `wrapped: ${JSON.stringify(found.slice(0, 60))}`;
  if (found.trim() === sent.replaceAll('\t', '    ').trim()) return 'tabs became spaces';
  if (found.trim() === sent.normalize('NFC').trim()) return 'letters and accents put together';
  const at = [...found].findIndex((char, index) => char !== [...sent][index]);
  return `from character ${at}: ${JSON.stringify(found.slice(at, at + 30))}`;
}

function bare(text: string): string {
  return text.replaceAll(/\s+/gu, '').normalize('NFC');
}
