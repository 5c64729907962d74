// Lays out dialogs: rows for each kind, as the real program paints them.

import type { Dialog, Option } from '../dialog/dialog.ts';
import type { Persona } from './persona.ts';
import { BLANK_ROW, coloured, plain, styled, type Row, type Span } from './row.ts';
import { textWidth, wrap } from './text-layout.ts';

/** The rows of a dialog, from its rule to its footer. */
export function dialogRows(dialog: Dialog, width: number, persona: Persona): Row[] {
  const look = { width, persona };
  switch (dialog.kind) {
    case 'permission':
      return permissionRows(dialog, look);
    case 'question':
      return questionRows(dialog, look);
    default:
      return plainRows(dialog, look);
  }
}

/** Returns the cursor's place in a painted dialog: on the glyph before the highlighted option, as in the real program. */
export function dialogCursor(rows: readonly Row[], persona: Persona): { readonly x: number; readonly y: number } {
  const mark = coloured(persona.prompt.glyph, persona.colours.accent);
  const isMark = (span: Span): boolean => span.text === mark.text && span.style === mark.style;
  const y = rows.findLastIndex((row) => row.some(isMark));
  const row = rows[y] ?? [];
  const before = row.slice(0, row.findIndex(isMark));
  return { x: before.reduce((sum, span) => sum + textWidth(span.text), 0), y: Math.max(0, y) };
}

/** Tells whether a dialog appears before the program takes the whole screen. */
export function isStartDialog(dialog: Dialog): boolean {
  return ['trust', 'bypass', 'api-key', 'imports', 'settings'].includes(dialog.kind);
}

interface Style {
  readonly width: number;
  readonly persona: Persona;
}

function permissionRows(dialog: Dialog, style: Style): Row[] {
  const { colours } = style.persona;
  const note: Row[] = dialog.note === undefined ? [] : [[plain(` ${dialog.note}`)], BLANK_ROW];
  const thin: Row = [coloured('╌'.repeat(style.width), colours.thinRule)];
  const body = dialog.body.flatMap((line) => wrap(line, style.width - 2).map((row): Row => [plain(` ${row.text}`)]));
  return [
    rule(style, colours.accent),
    [plain(' '), coloured(dialog.title, colours.accent, '1')],
    thin,
    ...body,
    thin,
    ...note,
    ...wrap(dialog.question, style.width - 2).map((row): Row => [plain(` ${row.text}`)]),
    ...optionRows(dialog, style, 1),
    BLANK_ROW,
    [plain(' '), coloured(dialog.footer, colours.muted)],
  ];
}

function questionRows(dialog: Dialog, style: Style): Row[] {
  const { colours } = style.persona;
  const options = optionRows({ ...dialog, options: dialog.options.slice(0, -1) }, style, 0);
  const last = dialog.options.length - 1;
  const chat = dialog.options[last];
  const focused = dialog.highlighted === last;
  return [
    rule(style, colours.muted),
    [styled(` ☐ ${dialog.title} `, '38;5;16', `48;5;${colours.accent}`)],
    BLANK_ROW,
    ...wrap(dialog.question, style.width - 1).map((row): Row => [coloured(row.text, colours.bright, '1')]),
    BLANK_ROW,
    ...options,
    rule(style, colours.muted),
    [
      focused ? coloured(style.persona.prompt.glyph, colours.accent) : plain(' '),
      plain(` ${last + 1}. `),
      focused ? coloured(chat?.label ?? '', colours.accent) : plain(chat?.label ?? ''),
    ],
    BLANK_ROW,
    [coloured(dialog.footer, colours.muted)],
  ];
}

function plainRows(dialog: Dialog, style: Style): Row[] {
  const { colours } = style.persona;
  const indent = dialog.kind === 'trust' ? 1 : 2;
  const margin = plain(' '.repeat(indent));
  const { warning, error } = colours;
  const tone = { trust: warning, 'api-key': warning, imports: warning, settings: warning, bypass: error };
  const colour = dialog.kind in tone ? tone[dialog.kind as keyof typeof tone] : colours.accent;
  const body = dialog.body.flatMap((line) =>
    wrap(line, style.width - indent * 2).map((row): Row => [plain(`${' '.repeat(indent)}${row.text}`)]),
  );
  const note: Row[] = dialog.note === undefined ? [] : [BLANK_ROW, [margin, styled(dialog.note, '1')]];
  return [
    rule(style, colour),
    [margin, coloured(dialog.title, colour, '1')],
    ...note,
    BLANK_ROW,
    ...body,
    ...(body.length > 0 ? [BLANK_ROW] : []),
    ...optionRows(dialog, style, indent),
    BLANK_ROW,
    [margin, coloured(dialog.footer, colours.muted, ...(indent === 2 ? ['3'] : []))],
  ];
}

function optionRows(dialog: Dialog, style: Style, indent: number): Row[] {
  return dialog.options.flatMap((option, index) => oneOption(dialog, { option, index, indent }, style));
}

function oneOption(dialog: Dialog, at: { option: Option; index: number; indent: number }, style: Style): Row[] {
  const { colours, prompt } = style.persona;
  const focused = at.index === dialog.highlighted;
  const text = at.option.writes === true && dialog.typed !== '' ? dialog.typed : at.option.label;
  const numberWidth = dialog.numbered ? 3 : 0;
  const lead: Span[] = [
    plain(' '.repeat(at.indent)),
    focused ? coloured(prompt.glyph, colours.accent) : plain(' '),
    plain(' '),
    ...(dialog.numbered ? [coloured(`${at.index + 1}. `, colours.muted)] : []),
  ];
  const hint = at.option.hint ?? '';
  const rows = wrap(text, style.width - at.indent - 3 - numberWidth);
  return rows.map((row, index): Row => {
    const label = focused
      ? coloured(row.text, colours.accent)
      : at.option.writes === true
        ? coloured(row.text, colours.muted)
        : plain(row.text);
    const start = index === 0 ? lead : [plain(' '.repeat(at.indent + 2 + numberWidth))];
    return index === rows.length - 1 ? [...start, label, coloured(hint, colours.muted)] : [...start, label];
  });
}

function rule(style: Style, colour: number): Row {
  return [coloured(style.persona.ruleGlyph.repeat(style.width), colour)];
}
