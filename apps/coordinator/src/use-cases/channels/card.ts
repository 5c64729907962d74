/**
 * Builds the chat card of an escalation. X14: no secret and no control sequence of a pane leaves; a channel removes words that alarm
 * people there.
 */
import { showHidden } from '@drover/core';
import { withoutDrawn } from '@drover/screen';
import { CARD_BODY_MAX, CARD_LINE_MAX, CARD_OPTIONS_MAX, CARD_PANE_LINES } from '@drover/protocol';
import type { Card } from '@drover/protocol';
import type { EscalationRow } from '@drover/store';
import { redactorOf } from '../../context/context.ts';
import type { Context } from '../../context/context.ts';
import { contextOf, isOpen } from '../../facts/escalations/context.ts';
import { pageOfQuestion } from '../../facts/escalations/link.ts';
import { shortIdOf } from '../../facts/escalations/view.ts';

/** A question, and its possible answers. */
export interface QuestionWords {
  readonly asked: number;
  readonly title: string;
  readonly body: string;
  readonly options: readonly { readonly id: string; readonly label: string; readonly needsText: boolean }[];
}

const TITLE_MAX = 400;
const NAME_MAX = 200;

/** Builds the card of an escalation as it is now. */
export function cardOf(ctx: Pick<Context, 'redactor' | 'publicUrl'>, row: EscalationRow): Card {
  const clean = cleanerOf(ctx);
  const { project, machine, pane } = contextOf(row);
  const { options } = row.question;
  const body = withoutDrawn(row.body);
  const whole = isIn(body, pane) ? '' : clean(body, Number.POSITIVE_INFINITY);
  const url = isOpen(row) ? pageOfQuestion(ctx, row.id) : undefined;
  const labelOf = (id: string): string => options.find((option) => option.id === id)?.label ?? id;
  return {
    escalation: row.id,
    shortId: shortIdOf(row.id),
    version: row.version,
    asked: row.asked,
    status: row.status,
    severity: row.severity,
    worker: clean(row.workerName, NAME_MAX),
    workers: row.members.length,
    project: clean(project, NAME_MAX),
    machine: clean(machine, NAME_MAX),
    title: clean(row.title, TITLE_MAX),
    // The lines of the pane already hold the words of a dialog.
    body: cut(whole, CARD_BODY_MAX),
    ...(whole.length > CARD_BODY_MAX && { isCut: true }),
    pane: pane.slice(-CARD_PANE_LINES).map((line) => clean(line.replaceAll(/[\n\t]/gu, ' '), CARD_LINE_MAX)),
    options: options
      .slice(0, CARD_OPTIONS_MAX)
      .map(({ label, needsText }) => ({ label: clean(label, NAME_MAX), needsText })),
    resolution:
      row.resolution === null
        ? null
        : { by: clean(row.resolution.by, NAME_MAX), label: clean(labelOf(row.resolution.option), NAME_MAX) },
    application: row.application,
    ackedBy: row.ackedBy === null ? null : clean(row.ackedBy, NAME_MAX),
    ...(url !== undefined && { url }),
    createdAt: row.createdAt,
  };
}

/** Words a question for programs, which get no pane. */
export function questionOf(ctx: Pick<Context, 'redactor'>, row: EscalationRow): QuestionWords {
  const clean = cleanerOf(ctx);
  return {
    asked: row.asked,
    title: clean(row.title, TITLE_MAX),
    body: clean(withoutDrawn(row.body), CARD_BODY_MAX),
    options: row.question.options
      .slice(0, CARD_OPTIONS_MAX)
      .map(({ id, label, needsText }) => ({ id, label: clean(label, NAME_MAX), needsText })),
  };
}

function cleanerOf(ctx: Pick<Context, 'redactor'>): (text: string, max: number) => string {
  const redactor = redactorOf(ctx);
  return (text, max) => cut(showHidden(redactor.text(text)), max);
}

function isIn(text: string, lines: readonly string[]): boolean {
  const shown = new Set(lines.slice(-CARD_PANE_LINES).map((line) => line.trim()));
  return text.split('\n').every((line) => line.trim() === '' || shown.has(line.trim()));
}

/** Characters of its own body that stay on a card that names others too. */
const OWN_BODY_MAX = 300;

/** Builds the card that alarms a place for others too: it names as many of them as fit. */
export function withOthers(card: Card, others: readonly Card[]): Card {
  const head =
    others.length === 1
      ? 'One more question waits here. It came without a notification:'
      : `${others.length} more questions wait here. They came without a notification:`;
  const lines = others.map(({ shortId, worker, title }) => `#${shortId} ${worker}: ${title}`.replaceAll(/\s+/gu, ' '));
  const own = card.body === card.title || card.body === '' ? '' : `${cut(card.body, OWN_BODY_MAX)}\n\n`;
  const isCut = card.isCut === true || card.body.length > OWN_BODY_MAX;
  return {
    ...card,
    body: cut(`${own}${[head, ...lines].join('\n')}`, CARD_BODY_MAX),
    ...(isCut && { isCut }),
  };
}

/** Cuts a text to `max` characters, the last one a mark that some are missing; never half a character. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = text.slice(0, max - 1);
  return `${/[\uD800-\uDBFF]$/u.test(kept) ? kept.slice(0, -1) : kept}…`;
}
