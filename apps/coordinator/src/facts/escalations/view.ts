/** Shows an escalation to people and their tools. */
import { DEFAULT_ONCALL, defaultOption, shellWord } from '@drover/core';
import type { QuestionOption } from '@drover/core';
import type { QuestionDelivery, EscalationView, ResponseView } from '@drover/api';
import type { DeliveryRow, EscalationResponse, EscalationRow, PersonRow, PlaceRow } from '@drover/store';
import { tellCause } from '../people/causes.ts';
import { runQuestionOf, shortRunId } from '../runs/names.ts';
import { contextOf, isOpen } from './context.ts';

/** Characters of the end of an id: the beginning is a time, which ids made within a minute share. */
const SHORT_ID = 8;

/** Returns the end of an id, which is enough to name an escalation. */
export function shortIdOf(id: string): string {
  return id.slice(-SHORT_ID);
}

/** Shows one escalation, with the commands that answer it. */
export function escalationView(row: EscalationRow): EscalationView {
  const { resolution, question } = row;
  return {
    id: row.id,
    shortId: shortIdOf(row.id),
    worker: row.workerName,
    workers: row.members.map(({ workerName, incidentId, over }) => ({
      worker: workerName,
      incident: incidentId,
      over,
    })),
    level: row.level,
    severity: row.severity,
    status: row.status,
    title: row.title,
    body: row.body,
    question: { kind: question.kind, options: question.options.map((option) => ({ ...option })) },
    resolution:
      resolution === null
        ? null
        : { option: resolution.option, text: resolution.text, by: resolution.by, at: resolution.at },
    application: row.application,
    asked: row.asked,
    occurrences: row.occurrences,
    ackedBy: row.ackedBy,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    resolvedAt: row.resolvedAt,
    ...calls(row),
    context: contextOf(row),
    commands: commandsOf(row),
  };
}

type Calls = Pick<
  EscalationView,
  'snoozedUntil' | 'ackUntil' | 'timeoutAt' | 'timeoutAnswer' | 'step' | 'nextStepAt' | 'mayAnswer'
>;

/** Lists the coming calls; an escalation that is over has none. */
function calls(row: EscalationRow): Calls {
  const { oncall } = row;
  const { answerRole: mayAnswer, timeout } = oncall?.policy ?? DEFAULT_ONCALL;
  if (oncall === null || !isOpen(row)) return { ...NO_CALLS, step: oncall?.step ?? 0, mayAnswer };
  const { snoozedUntil, lapseAt, timeoutAt, step, nextStepAt } = oncall;
  const answer = timeoutAt === null || timeout === null || timeout.answer === 'wait' ? null : timeout.answer;
  const timeoutAnswer = answer === null ? null : defaultOption(row.question, answer);
  return { snoozedUntil, ackUntil: lapseAt, timeoutAt, timeoutAnswer, step, nextStepAt, mayAnswer };
}

const NO_CALLS = {
  snoozedUntil: null,
  ackUntil: null,
  timeoutAt: null,
  timeoutAnswer: null,
  nextStepAt: null,
} as const;

/** Shows one person's response. */
export function responseView({ kind, actor, at, asked, option, text, until, reply }: EscalationResponse): ResponseView {
  const refused = isRefusal(reply) ? reply.code : null;
  return { kind, by: tellCause(actor) ?? '', at, asked, option, text, until, refused };
}

/** Shows a delivery. A person's own place is named by the person: its address is private. */
export function questionDelivery(
  { channel, address, shown, shownAt, pingsGiven, error, isFinal }: DeliveryRow,
  {
    row,
    places,
    people,
  }: { readonly row: EscalationRow; readonly places: readonly PlaceRow[]; readonly people: readonly PersonRow[] },
): QuestionDelivery {
  const known = places.find((place) => place.channel === channel && place.address === address);
  const person = people.find(({ id }) => id === known?.personId);
  return {
    place: person === undefined ? `${channel}:${address}` : `${channel} of ${person.name}`,
    pings: pingsGiven,
    shownAt,
    isCurrent: shown >= row.version,
    error,
    isFinal,
  };
}

/** Tells whether a reply is a refusal. Only coordinators write replies. */
function isRefusal(reply: unknown): reply is { readonly code: string } {
  return typeof reply === 'object' && reply !== null && 'code' in reply;
}

function commandsOf(row: EscalationRow): string[] {
  const answers = row.question.options.map((option) => answerCommand(row, option));
  const [first] = row.members.filter(({ over }) => !over);
  const run = runQuestionOf(row);
  if (run !== null) return [...(isOpen(row) ? answers : []), `drover run show ${shortRunId(run.runId)}`];
  const name = first?.workerName ?? row.workerName;
  const look = [`drover why ${name}`, `drover logs ${name} --pane`, `drover attach ${name}`];
  return isOpen(row) ? [...answers, ...look] : look;
}

/** Builds the command that gives an answer. The command names the asking; the first needs no name. */
export function answerCommand({ id, asked }: EscalationRow, { id: option, needsText }: QuestionOption): string {
  const which = asked === 1 ? '' : ` --asked ${asked}`;
  const text = needsText ? ' --text "what to do differently"' : '';
  return `drover answer ${shortIdOf(id)} --option ${shellWord(option)}${which}${text}`;
}
