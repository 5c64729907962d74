/** Text of a card, for every channel. X14: nothing in it calls or names people of the chat. */
import type { Button, Card } from '@drover/protocol/channels';

/** A card as text, with its buttons. */
export interface CardText {
  readonly head: string;
  readonly body: string;
  /** Lines of the pane, shown unchanged. */
  readonly pane: readonly string[];
  /** The state of the question: it waits, somebody looks, somebody answered; then its address on the dashboard. */
  readonly state: string;
  readonly buttons: readonly Labelled[];
}

/** A button with its label. */
export interface Labelled {
  readonly label: string;
  readonly button: Button;
}

/** Characters of a label. Slack cuts at 75, Discord at 80. */
const LABEL_MAX = 70;

const MARKS: Readonly<Record<string, string>> = { fatal: '🟥', error: '🟧', warning: '🟨' };

/** Writes a card as text. */
export function cardText(card: Card): CardText {
  const { worker, workers, project, machine, title, body, pane, shortId, asked, url } = card;
  const isOpen = card.status === 'open' || card.status === 'acked';
  const who = workers > 1 ? `${workers} workers` : worker;
  const mark = isOpen ? (MARKS[card.severity] ?? '🟦') : '✅';
  const more =
    card.isCut === true && isOpen
      ? `This is only the beginning; see all of it with: drover escalation show ${shortId}\n\n`
      : '';
  const again = asked > 1 ? `, asked for the ${ordinal(asked)} time` : '';
  return {
    head: harmless(`${mark} ${who} (${project} on ${machine}): ${title}`),
    body: harmless(body === title ? '' : body),
    pane: isOpen ? pane.map(harmless) : [],
    state: [
      harmless(`${more}${stateOf(card)} #${shortId}${again}`),
      ...(isOpen && url !== undefined ? [url] : []),
    ].join('\n'),
    buttons: isOpen ? buttonsOf(card) : [],
  };
}

function buttonsOf({ escalation, asked, status, options }: Card): Labelled[] {
  const answers = options.map(({ label, needsText }, option): Labelled => ({
    label: labelOf(needsText ? `${label} …` : label),
    button: { kind: 'answer', escalation, asked, option },
  }));
  return status === 'open' ? [...answers, { label: 'I am looking', button: { kind: 'ack', escalation } }] : answers;
}

function stateOf({ status, resolution, application, ackedBy }: Card): string {
  if (resolution !== null) return `${resolution.by} chose "${resolution.label}". ${appliedOf(application)}`;
  if (status === 'acked') return `${ackedBy ?? 'Somebody'} is working on it; it still waits for an answer.`;
  if (status !== 'open') return 'It no longer needs an answer.';
  return application === null ? 'It waits for an answer.' : `${appliedOf(application)} It waits for an answer again.`;
}

function appliedOf(application: Card['application']): string {
  switch (application) {
    case 'pending':
      return 'It is on its way to the worker.';
    case 'applied':
      return 'The worker has it.';
    case 'rejected_stale':
      return 'The answer came too late: the screen had changed.';
    case 'failed':
      return 'Drover could not give the answer to the worker.';
    case null:
      return '';
    default:
      return application satisfies never;
  }
}

/** Cuts a label to fit a button. */
export function labelOf(label: string): string {
  const shown = harmless(label.replaceAll(/\s+/gu, ' ').trim());
  const characters = [...shown];
  if (characters.length === 0) return '…';
  return characters.length <= LABEL_MAX ? shown : `${characters.slice(0, LABEL_MAX - 1).join('')}…`;
}

/** Replaces the signs by which chats call people: a pane could print `@name`. */
export function harmless(text: string): string {
  return text.replaceAll('@', '＠').replaceAll('<!', '＜!');
}

function ordinal(count: number): string {
  return count === 2 ? 'second' : count === 3 ? 'third' : `${count}th`;
}
