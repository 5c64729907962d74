/** Formats questions to people. */
import type { QuestionDelivery, EscalationDetail, EscalationView, ResponseView } from '@drover/api';
import type { Page } from '../../program/answer.ts';
import type { Listing } from '../../terminal/lists/listing.ts';
import { age, ago, paint, plain, section } from '../../terminal/style.ts';

/** The list of `drover escalation`. */
export function escalationList({ all }: { readonly all: boolean }): Listing<EscalationView> {
  return {
    empty: all
      ? 'No escalations.'
      : 'No question waits for you. "drover escalation --all" shows answered questions too.',
    nameOf: ({ shortId }) => shortId,
    columns: [
      { name: 'ID', of: ({ shortId }) => shortId },
      {
        name: 'STATE',
        of: (one, { terminal }) => paint(stateOf(one), isOpen(one) ? 'yellow' : 'dim', terminal.colours),
      },
      { name: 'AGE', of: ({ createdAt }, { now }) => age(now - createdAt) },
      { name: 'WORKER', of: workersIn },
      { name: 'QUESTION', of: ({ title }) => plain(title) },
    ],
    below: (escalations) => {
      const open = escalations.find(isOpen);
      return open === undefined ? [] : ['', `Show one: drover escalation show ${open.shortId}`];
    },
  };
}

function isOpen({ status }: EscalationView): boolean {
  return status === 'open' || status === 'acked';
}

/** Names the state: an answer is accepted first and applied later, and both are shown. */
function stateOf({ status, resolution, application, ackedBy, occurrences, snoozedUntil }: EscalationView): string {
  if (snoozedUntil !== null) return 'snoozed';
  if (status === 'acked') return `acknowledged by ${plain(ackedBy ?? 'somebody')}`;
  if (status === 'open' && application === 'rejected_stale') return 'open again: the answer came too late';
  if (status === 'open') return occurrences > 1 ? `open, asked ${occurrences} times` : 'open';
  if (resolution === null) return status;
  return `answered, ${APPLIED[application ?? 'pending']}`;
}

const APPLIED: Readonly<Record<NonNullable<EscalationView['application']>, string>> = {
  pending: 'not applied yet',
  applied: 'applied',
  rejected_stale: 'too late to apply',
  failed: 'could not be applied',
};

function workersIn({ worker, workers }: EscalationView): string {
  return workers.length > 1 ? `${workers.length} workers` : worker;
}

/** The page of `drover escalation show`. */
export function escalationText(one: EscalationDetail, { now, terminal }: Page): string {
  const { colours } = terminal;
  const bold = (text: string): string => paint(text, 'bold', colours);
  const { context } = one;
  const [answers, others] = [
    one.commands.filter((command) => command.startsWith('drover answer ')),
    one.commands.filter((command) => !command.startsWith('drover answer ')),
  ];
  return [
    bold(one.workers.length > 1 ? plain(one.title) : `${one.worker}: ${plain(one.title)}`),
    ...(one.body === '' ? [] : paragraph(one.body)),
    '',
    `${bold('State')}  ${stateOf(one)}, ${ago(now - one.createdAt)}, ${one.severity} ${context.code} (${one.id})`,
    ...callLines(one, now),
    ...resolutionLines(one, now),
    ...(one.workers.length > 1 ? [`${bold('Workers')}  ${workersOf(one)}`] : []),
    '',
    ...section(bold('Worker'), workerLines(one, now)),
    ...section(bold('What was done'), historyLines(one, now)),
    ...section(
      bold('What people said'),
      one.responses.map((response) => responseLine(response, now)),
    ),
    ...section(
      bold('Who was told'),
      one.deliveries.map((delivery) => deliveryLine(delivery, now)),
    ),
    ...section(bold('Last lines of its pane'), paneLines(one)),
    ...section(bold('Git'), gitLines(one)),
    ...section(bold('What may help'), context.remediation.map(plain)),
    ...section(bold('Answers'), isOpen(one) ? answerLines(one, answers) : []),
    ...section(bold('See also'), others),
  ]
    .join('\n')
    .trimEnd();
}

function paragraph(text: string): string[] {
  return text.split('\n').map(plain);
}

function workersOf({ workers }: EscalationView): string {
  return workers.map(({ worker, over }) => (over ? `${worker} (over)` : worker)).join(', ');
}

function resolutionLines({ resolution, application }: EscalationView, now: number): string[] {
  if (resolution === null) return [];
  const { option, text, by, at } = resolution;
  const quoted = text === null ? '' : `: ${plain(text)}`;
  return [
    `Accepted  "${plain(option)}" by ${plain(by)}, ${ago(now - at)}${quoted}`,
    `Applied   ${application === 'applied' ? 'yes' : APPLIED[application ?? 'pending']}`,
  ];
}

/** Lists automatic steps that follow if no person acts. */
function callLines(
  { snoozedUntil, ackUntil, nextStepAt, timeoutAt, timeoutAnswer, mayAnswer }: EscalationView,
  now: number,
): string[] {
  const at = (when: number): string => `in ${age(Math.max(0, when - now))}`;
  return [
    ...(snoozedUntil === null ? [] : [`Notify    nobody; again ${at(snoozedUntil)}`]),
    ...(ackUntil === null ? [] : [`Notify    nobody while somebody works on it; open again ${at(ackUntil)}`]),
    ...(nextStepAt === null ? [] : [`Notify    the next people ${at(nextStepAt)}`]),
    ...(timeoutAt === null || timeoutAnswer === null
      ? []
      : [`Default   "${plain(timeoutAnswer)}" ${at(timeoutAt)}, if nobody answers`]),
    ...(mayAnswer === 'responder' ? [] : [`Answers   need the role ${mayAnswer} or higher`]),
  ];
}

const SAID: Readonly<Record<ResponseView['kind'], string>> = {
  answer: 'answered',
  ack: 'acknowledged it',
  snooze: 'snoozed it',
  escalate: 'escalated it',
  comment: 'wrote',
};

function responseLine({ kind, by, at, option, text, until, refused }: ResponseView, now: number): string {
  const what = [
    ...(option === null ? [] : [` "${plain(option)}"`]),
    ...(until === null ? [] : [` for ${age(Math.max(0, until - at))}`]),
    ...(text === null ? [] : [`: ${plain(text)}`]),
    ...(refused === null ? [] : [` (refused: ${refused})`]),
  ].join('');
  return `${ago(now - at)}: ${plain(by)} ${SAID[kind]}${what}`;
}

function deliveryLine({ place, pings, shownAt, isCurrent, error, isFinal }: QuestionDelivery, now: number): string {
  const again = isFinal ? 'Drover does not retry there' : 'Drover retries';
  const failed = error === null ? [] : [`${plain(error)}; ${again}`];
  const shown = shownAt === null ? 'has not shown it yet' : `has shown it for ${age(Math.max(0, now - shownAt))}`;
  const behind = shownAt !== null && !isCurrent ? ['an older version'] : [];
  return [`${plain(place)} ${shown}, notified ${pings} time(s)`, ...behind, ...failed].join('; ');
}

/** Lists lines of the pane, or the reason for their absence: a person who looks need not search for them. */
function paneLines({ context: { pane, machine, machineState } }: EscalationView): string[] {
  if (pane.length > 0) return pane.map(plain);
  return machineState === 'connected'
    ? ['none: the worker has no pane, or its machine has not answered yet']
    : [`not known: the machine "${plain(machine)}" was ${machineState}`];
}

function workerLines({ context }: EscalationView, now: number): string[] {
  const { worker, status, note, machine, machineState, profile, account, prompt, lastActivityAt } = context;
  return [
    `${worker} was ${status}${note === '' ? '' : `: ${plain(note)}`}`,
    `on ${plain(machine)} (${machineState}), profile ${plain(profile)}, account ${plain(account)}`,
    ...(lastActivityAt === null ? [] : [`last progress ${ago(now - lastActivityAt)}`]),
    ...(prompt === null ? [] : [`task: ${plain(prompt)}`]),
    plain(context.worktree),
  ];
}

function historyLines({ context }: EscalationView, now: number): string[] {
  const { history, attempts, tried } = context;
  const lines = history.map(({ at, action }) => `${ago(now - at)}: ${plain(action)}`);
  const spent = `${attempts} attempt(s)${tried.length === 0 ? '' : `; tried: ${tried.join(', ')}`}`;
  return [...lines, spent];
}

function gitLines({ context: { git, gitStatus } }: EscalationView): string[] {
  const lines = gitStatus.map(plain);
  if (git === null) return lines;
  const state = git.rebasing ? ', in a rebase' : '';
  return [
    `${git.ahead} commit(s) of its own, ${git.dirty} changed file(s), ${git.unmerged} conflict(s)${state}`,
    `HEAD ${git.head.slice(0, 12)} ${plain(git.subject)}`,
    ...lines,
  ];
}

function answerLines({ question }: EscalationView, commands: readonly string[]): string[] {
  return question.options.flatMap(({ label }, index) => [plain(label), `    ${commands[index] ?? ''}`]);
}

/** The result of a snooze. */
export function snoozedText({ shortId, snoozedUntil }: EscalationView, { now }: Page): string {
  return `${shortId}: Drover notifies nobody for ${age(Math.max(0, (snoozedUntil ?? now) - now))}. You can still answer it: drover escalation show ${shortId}`;
}

/** Formats the result of a given answer: the winner, and the state of its application at the worker. */
export function answerText({ shortId, resolution, application, workers }: EscalationView): string {
  const names = workers.map(({ worker }) => worker).join(', ');
  const state = APPLIED[application ?? 'pending'];
  return `${shortId} is answered with "${plain(resolution?.option ?? '')}": accepted, and ${state} (${names})`;
}
