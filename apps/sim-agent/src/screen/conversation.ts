// Lays out the entries of the conversation above the prompt box.

import type { Persona } from './persona.ts';
import { BLANK_ROW, coloured, plain, styled, type Row } from './row.ts';
import { fit, textWidth, wrap } from './text-layout.ts';

/** Entry of the conversation. */
export type Entry =
  | { readonly kind: 'prompt'; readonly text: string }
  | { readonly kind: 'queued'; readonly text: string }
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'tool'; readonly title: string; readonly subject: string; readonly lines: readonly string[] }
  | { readonly kind: 'tool-summary'; readonly verb: string; readonly strong: string; readonly rest: string }
  | { readonly kind: 'detail'; readonly text: string; readonly tone: 'muted' | 'plain' | 'error' }
  | { readonly kind: 'api-error'; readonly text: string }
  | { readonly kind: 'done'; readonly text: string };

/**
 * The rows of an entry, without the blank row that precedes it.
 * A `detail` belongs to the entry above it and has no blank row before it.
 */
function entryRows(entry: Entry, width: number, persona: Persona): Row[] {
  const { colours } = persona;
  switch (entry.kind) {
    case 'prompt':
      return promptRows(entry.text, { width, persona, textColour: colours.bright });
    case 'queued':
      return [
        ...promptRows(entry.text, { width, persona, textColour: undefined }),
        [coloured(`  ${persona.detailGlyph}  ${persona.texts.queuedNote}`, colours.muted)],
      ];
    case 'answer':
      return hanging(entry.text, width, (text, first) =>
        first ? [coloured(persona.answerGlyph, colours.bright), plain(` ${text}`)] : [plain(`  ${text}`)],
      );
    case 'api-error':
      return hanging(entry.text, width, (text, first) => [
        coloured(first ? `${persona.answerGlyph} ${text}` : `  ${text}`, colours.warning),
      ]);
    case 'tool':
      return toolRows(entry, width, persona);
    case 'tool-summary':
      return [
        [
          coloured(`  ${entry.verb} `, colours.muted),
          coloured(entry.strong, colours.muted, '1'),
          coloured(` ${entry.rest}`, colours.muted),
        ],
      ];
    case 'detail':
      return detailRows(entry, width, persona);
    case 'done':
      return [[coloured(fit(`✻ ${entry.text}`, width), colours.muted)]];
    default:
      return entry satisfies never;
  }
}

/** The last `height` rows of the conversation, oldest first, with the rows of `head` on top when there is room. */
export function conversationRows(
  entries: readonly Entry[],
  head: readonly Row[],
  room: { readonly width: number; readonly height: number; readonly persona: Persona },
): Row[] {
  const blocks: Row[][] = [];
  let count = 0;
  for (let index = entries.length - 1; index >= 0 && count < room.height; index -= 1) {
    const entry = entries[index];
    if (entry === undefined) break;
    const rows = entryRows(entry, room.width, room.persona);
    const block = entry.kind === 'detail' ? rows : [BLANK_ROW, ...rows];
    blocks.unshift(block);
    count += block.length;
  }
  const rows = [...(count < room.height ? head : []), ...blocks.flat()];
  return rows.slice(Math.max(0, rows.length - room.height));
}

function promptRows(
  text: string,
  style: { readonly width: number; readonly persona: Persona; readonly textColour: number | undefined },
): Row[] {
  const { muted, echoBackground } = style.persona.colours;
  const background = `48;5;${echoBackground}`;
  const colour = style.textColour ?? muted;
  return hanging(text, style.width, (line, first) => [
    coloured(first ? `${style.persona.prompt.glyph} ` : '  ', muted, background),
    coloured(line, colour, background),
    styled(' '.repeat(Math.max(0, style.width - textWidth(line) - 2)), background),
  ]);
}

function toolRows(entry: Extract<Entry, { kind: 'tool' }>, width: number, persona: Persona): Row[] {
  const head: Row = [
    coloured(persona.answerGlyph, persona.colours.success),
    plain(' '),
    styled(entry.title, '1'),
    plain(`(${fit(entry.subject, Math.max(1, width - entry.title.length - 4))})`),
  ];
  const rest = entry.lines.map((line, index): Row => {
    const lead = index === 0 ? `  ${persona.detailGlyph} \u00A0` : '     ';
    return [coloured(lead, persona.colours.muted), plain(fit(line, Math.max(1, width - 6)))];
  });
  return [head, ...rest];
}

function detailRows(entry: Extract<Entry, { kind: 'detail' }>, width: number, persona: Persona): Row[] {
  const { muted, error } = persona.colours;
  return wrap(entry.text, width - 6).map((row, index): Row => {
    const lead = index === 0 ? `  ${persona.detailGlyph} \u00A0` : '     ';
    const text = row.text.trimEnd();
    const body = { muted: coloured(text, muted), plain: plain(text), error: coloured(text, error) }[entry.tone];
    return [coloured(lead, muted), body];
  });
}

function hanging(text: string, width: number, style: (text: string, first: boolean) => Row): Row[] {
  return wrap(text, width - 3).map((row, index) => style(row.text.trimEnd(), index === 0));
}
