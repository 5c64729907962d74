// Paints the visible state: one string per screen row, and the cursor's place. Pure.

import { menuFor } from '../keyboard/slash-commands.ts';
import { composerBox } from './composer-rows.ts';
import { conversationRows } from './conversation.ts';
import { dialogCursor, dialogRows, isStartDialog } from './dialog-rows.ts';
import { BLANK_ROW, alignRight, coloured, encodeRow, plain, styled, type Row } from './row.ts';
import { fit, textWidth } from './text-layout.ts';
import type { Size, View } from './view.ts';

/** Painted screen: exactly `height` rows, each with its styles. */
export interface Frame {
  readonly rows: readonly string[];
  readonly cursor: { readonly x: number; readonly y: number };
}

/** @param now milliseconds since the epoch; only the spinner depends on it. */
export function paint(view: View, size: Size, at: { readonly now: number; readonly tick: number }): Frame {
  if (view.dialog !== undefined && isStartDialog(view.dialog)) return startFrame(view, size);
  const bottom = view.dialog === undefined ? promptArea(view, size, at) : dialogArea(view, size);
  const below = bottom.rows.slice(Math.max(0, bottom.rows.length - size.height));
  const height = size.height - below.length;
  const queued = view.queued.map((text) => ({ kind: 'queued', text }) as const);
  const above = conversationRows([...view.entries, ...queued], head(view), {
    width: size.width,
    height,
    persona: view.persona,
  });
  const gap = Array.from({ length: Math.max(0, height - above.length) }, () => BLANK_ROW);
  const rows = [...above, ...gap, ...below].map((row) => encodeRow(row, size.width));
  return { rows, cursor: { x: bottom.cursor.x, y: Math.max(0, size.height - bottom.rows.length + bottom.cursor.y) } };
}

interface Area {
  readonly rows: readonly Row[];
  readonly cursor: { readonly x: number; readonly y: number };
}

function head(view: View): Row[] {
  const { persona } = view;
  const { logo, muted } = persona.colours;
  const texts = [
    [styled(persona.productName, '1'), plain(' '), coloured(`v${persona.version}`, muted)],
    [coloured(`${view.model} · API Usage Billing`, muted)],
    [coloured(view.cwd, muted)],
  ];
  const rows = persona.logo.map((art, index): Row => [coloured(art, logo), plain(' '), ...(texts[index] ?? [])]);
  return [BLANK_ROW, ...rows, BLANK_ROW];
}

/** A dialog before the program has the whole screen: it stands at the top. */
function startFrame(view: View, size: Size): Frame {
  const { rows, cursor } = dialogArea(view, size);
  const cut = Math.max(0, rows.length - size.height);
  const gap = Array.from({ length: Math.max(0, size.height - rows.length) }, () => BLANK_ROW);
  const shown = [...rows.slice(cut), ...gap];
  return {
    rows: shown.map((row) => encodeRow(row, size.width)),
    cursor: { x: cursor.x, y: Math.max(0, cursor.y - cut) },
  };
}

function dialogArea(view: View, size: Size): Area {
  const rows = view.dialog === undefined ? [] : dialogRows(view.dialog, size.width, view.persona);
  const all = [BLANK_ROW, ...rows];
  return { rows: all, cursor: dialogCursor(all, view.persona) };
}

function promptArea(view: View, size: Size, at: { now: number; tick: number }): Area {
  const box = composerBox(view, size);
  const above = [...spinnerRows(view, size, at), ...menuRows(view, size)];
  const lead = above.length === 0 ? [hintRow(view, size)] : above;
  return {
    rows: [...lead, ...box.rows, footer(view, size)],
    cursor: { x: box.cursor.x, y: lead.length + box.cursor.y },
  };
}

function spinnerRows(view: View, size: Size, at: { now: number; tick: number }): Row[] {
  const { spinner, persona } = view;
  if (spinner === undefined || spinner.kind === 'silent') return [];
  const { logo, muted, error } = persona.colours;
  const frame = persona.spinnerFrames[at.tick % persona.spinnerFrames.length] ?? '·';
  if (spinner.kind === 'retrying') {
    return [[coloured(`✻ ${spinner.text}`, error), coloured(` · ${spinner.detail}`, muted)], BLANK_ROW];
  }
  const seconds = Math.max(0, Math.floor((at.now - spinner.since) / 1000));
  const thinking = spinner.kind === 'thinking' ? ' · thinking' : '';
  const facts = seconds === 0 ? '' : `(${seconds}s · ↓ ${seconds * 12 + 1} tokens${thinking})`;
  return [
    [coloured(frame, logo), plain(' '), coloured(`${spinner.text}… `, logo), coloured(facts, muted)],
    [coloured(fit(`  ${persona.detailGlyph} \u00A0${persona.tip}`, size.width), muted)],
    BLANK_ROW,
  ];
}

function menuRows(view: View, size: Size): Row[] {
  const { accent, muted } = view.persona.colours;
  return menuFor(view.composer).map((command, index) => {
    const text = `${command.name.padEnd(28)}${command.about}`;
    const row = index === view.menuIndex ? `${view.persona.prompt.glyph} ${text}` : `  ${text}`;
    return [plain('  '), coloured(fit(row, size.width - 2), index === view.menuIndex ? accent : muted)];
  });
}

function hintRow(view: View, size: Size): Row {
  const { persona } = view;
  if (view.busy) return BLANK_ROW;
  const text = view.killed ? persona.texts.killed : persona.texts.effort;
  return alignRight([coloured(text, persona.colours.muted)], size.width, 2);
}

/** The footer is cut with an ellipsis in a narrow pane, which may take the words that tell of a running turn. */
function footer(view: View, size: Size): Row {
  const { persona } = view;
  const { muted, error } = persona.colours;
  const room = size.width - 2;
  if (view.armed !== undefined) return [plain('  '), coloured(fit(armedText(view), room), muted)];
  if (view.composer.atoms[0] === '!') return [plain('  '), coloured(fit(persona.texts.shellHint, room), error)];
  const mode = persona.modes[view.mode];
  const tail = `${mode.alarming ? ' (shift+tab to cycle)' : ''}${footerTail(view)}`;
  const left = room - textWidth(mode.text);
  return [plain('  '), coloured(fit(mode.text, room), mode.alarming ? error : muted), coloured(fit(tail, left), muted)];
}

function armedText(view: View): string {
  const { texts } = view.persona;
  return view.armed === 'clear' ? texts.clearArmed : texts.exitArmed(view.armed === 'exit-d' ? 'D' : 'C');
}

/** The real program leaves the interrupt hint out while text streams and something is typed. */
function footerTail(view: View): string {
  const { interrupt, shortcuts } = view.persona.texts;
  const empty = view.composer.atoms.length === 0;
  if (view.busy) return view.spinner?.kind === 'silent' && !empty ? '' : ` · ${interrupt}`;
  return empty ? ` · ${shortcuts}` : '';
}
