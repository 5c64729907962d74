// Lists the texts that are delivered, and what the program must receive of each.

/** Text to deliver. */
export interface Content {
  /** A word that stands in this text once and in no other. */
  readonly mark: string;
  readonly kind: string;
  readonly text: string;
}

/** Sizes in bytes, small ones more often, as in life. */
const SIZES = [64, 256, 1_024, 64, 256, 1_024, 4_096, 64, 256, 1_024, 16_384, 65_536];

const LINES = 'A line of a longer prompt with some words in it.\n';
const KINDS: Readonly<Record<string, { readonly lead: string; readonly body: string; readonly tail: string }>> = {
  ascii: { lead: '', body: 'plain words, "quotes", $HOME `x` ~ {braces} %d #{pane_id} ', tail: '.' },
  lines: { lead: '', body: LINES, tail: 'the end' },
  unicode: { lead: '', body: 'ünïcödé 漢字 🙂 “quotes” — ', tail: '終' },
  tabs: { lead: '', body: 'one\ttwo\n\tthree ', tail: 'four' },
  backslash: { lead: '', body: 'a \\n that is no line break ', tail: '\\' },
  semicolon: { lead: '', body: 'ends like a command of tmux; ', tail: ';' },
  slash: { lead: '/tmp/file ', body: 'is a path and no command ', tail: '' },
  bang: { lead: '!', body: 'is not for the shell ', tail: '' },
  hash: { lead: '#', body: 'is not a memory ', tail: '' },
  at: { lead: '@', body: 'is nobody ', tail: '' },
};

/** The text with a number: every kind meets every size, given enough numbers. */
export function content(number: number): Content {
  const names = Object.keys(KINDS);
  const kind = names[number % names.length] ?? 'ascii';
  const size = SIZES[(number + Math.floor(number / names.length)) % SIZES.length] ?? 64;
  const mark = `mark-${String(number).padStart(6, '0')}-end`;
  return { mark, kind, text: textOf(kind, size, mark) };
}

/** A text of about a size: whole characters, so a few bytes less. */
export function textOf(kind: string, size: number, mark: string): string {
  const { lead, body, tail } = KINDS[kind] ?? { lead: '', body: 'words ', tail: '' };
  const head = `${lead}${mark} `;
  const room = Math.max(0, size - Buffer.byteLength(head) - Buffer.byteLength(tail));
  const filled = body.repeat(Math.ceil(room / Buffer.byteLength(body)));
  let cut = filled;
  while (Buffer.byteLength(cut) > room)
    cut = cut.slice(0, -Math.max(1, Math.floor((Buffer.byteLength(cut) - room) / 4)));
  return `${head}${cut.toWellFormed().replaceAll('\ufffd', '').trimEnd()}${tail}`;
}

/** Difference between the text that arrived and the one that was sent. */
export type Fidelity =
  | 'verbatim'
  /** Text changed only as Drover says beforehand: a space that keeps `!`, `#` and a last `\` from acting, four spaces for a typed tab. */
  | 'announced'
  | 'altered';

/** Compares what was sent with what a program received. */
export function fidelity(sent: string, received: string): Fidelity {
  if (received === sent) return 'verbatim';
  const spaced = `${/^[!#]/.test(sent) ? ' ' : ''}${sent}${sent.endsWith('\\') ? ' ' : ''}`;
  return received === spaced || received === spaced.replaceAll('\t', '    ') ? 'announced' : 'altered';
}
