/** Formats workers and their histories. */
import type { ConversationView, EventView, WhyView, WorkerView } from '@drover/api';
import { showHidden } from '@drover/core/hidden-characters';
import type { Page } from '../../program/answer.ts';
import { listingText } from '../../terminal/lists/listing.ts';
import type { Listing } from '../../terminal/lists/listing.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { escalationLine } from '../escalation/line.ts';
import { nextStep } from './next-step.ts';
import { age, ago, clockTime, many, paint, plain } from '../../terminal/style.ts';
import { paintStatus } from './next-step.ts';

/** The list of `drover worker`. */
export function workerList(workers: readonly WorkerView[]): Listing<WorkerView> {
  const areOfSeveral = new Set(workers.map(({ project }) => project)).size > 1;
  return {
    empty: 'No workers yet: run "drover add NAME".',
    nameOf: ({ name, project }) => (areOfSeveral ? `${project}/${name}` : name),
    columns: [
      { name: 'NAME', of: ({ name, project }) => (areOfSeveral ? `${plain(project)}/${name}` : name) },
      { name: 'STATE', of: ({ status }, { terminal }) => paintStatus(status, terminal.colours) },
      { name: 'FOR', of: ({ since }, { now }) => age(now - since) },
      { name: 'MACHINE', isWide: true, of: ({ machine }) => plain(machine) },
      { name: 'TASK', of: summaryOf },
    ],
    below: (all, { terminal }) => all.flatMap((worker) => lackLines(worker, { terminal })),
  };
}

/** The page of `drover status`: first what waits for a person, with its command, then all workers, then their number in each state. */
export function statusText(
  workers: readonly WorkerView[],
  { forYou, ...page }: Page & { readonly forYou: readonly string[] },
): string {
  const { colours } = page.terminal;
  const head = paint(forYou.length === 1 ? '1 needs you' : `${forYou.length} need you`, 'bold', colours);
  return [
    ...(forYou.length === 0 ? [] : [head, ...forYou.map((line) => `  ${line}`), '']),
    listingText(workers, workerList(workers), page),
    ...(workers.length === 0 ? [] : ['', totalsOf(workers)]),
  ].join('\n');
}

/** Counts workers by state, in the order in which states need a person: `3 workers: 1 error, 2 working`. */
function totalsOf(workers: readonly WorkerView[]): string {
  const counts = STATUSES.flatMap((status) => {
    const count = workers.filter((worker) => worker.status === status).length;
    return count === 0 ? [] : [`${count} ${status}`];
  });
  return `${many(workers.length, 'worker')}: ${counts.join(', ')}`;
}

const STATUSES = [
  'error',
  'needs_input',
  'needs_review',
  'offline',
  'working',
  'rebasing',
  'rejected',
  'idle',
] as const satisfies readonly WorkerView['status'][];

function summaryOf(worker: WorkerView, { terminal }: Page): string {
  const cutOff = worker.machineState === 'connected' ? '' : `machine ${worker.machineState}: `;
  return paint(cutOff, 'red', terminal.colours) + summary(worker);
}

function summary({ status, note, prompt, accepting, moving, stopping }: WorkerView): string {
  if (moving !== null) return plain(moving);
  if (accepting !== null) return `being merged (${accepting}): ${plain(note)}`;
  if (status === 'idle') return stopping ? `${plain(note)}: its agent has not stopped yet` : 'ready for a task';
  const what = prompt === null ? '' : plain(prompt).slice(0, 60);
  return [plain(note), what === '' ? '' : `· ${what}`].filter((part) => part !== '').join(' ');
}

/** Formats a line about one worker: its state, and the reason. */
export function workerLine({ name, status, note, moving }: WorkerView, { terminal }: Pick<Page, 'terminal'>): string {
  const why = moving ?? note;
  return `${name} is ${paintStatus(status, terminal.colours)}${why === '' ? '' : `: ${plain(why)}`}`;
}

/** Formats a line for each missing supply of the worktree. */
export function lackLines(
  { name, lacks }: Pick<WorkerView, 'name' | 'lacks'>,
  { terminal }: Pick<Page, 'terminal'>,
): string[] {
  return lacks.map((lack) => paint(`${name}: ${plain(lack)}`, 'yellow', terminal.colours));
}

/** Formats an event with all its sentences. */
export function eventText(event: EventView, { terminal, named }: { terminal: Terminal; named: boolean }): string {
  const { colours } = terminal;
  const [heard = '', ...followed] = event.said.map(plain);
  const head = [
    paint(clockTime(event.at), 'dim', colours),
    ...(named ? [paint(event.worker, 'bold', colours)] : []),
    heard,
    ...(event.by === null ? [] : [paint(`(${plain(event.by)})`, 'dim', colours)]),
  ].join(' ');
  return [head, ...followed.map((said) => `         ${said}`)].join('\n');
}

/** Formats an entry of a conversation: who speaks or what is called, then the text below it. */
export function entryText(entry: ConversationView['entries'][number]): string {
  const lines = entry.text
    .trimEnd()
    .split('\n')
    .map((line) => `  ${showHidden(line)}`);
  const cut = entry.isCut ? ['  (cut here)'] : [];
  return [`${entry.at === null ? '' : `${clockTime(entry.at)} `}${speaker(entry)}`, ...lines, ...cut].join('\n');
}

function speaker(entry: ConversationView['entries'][number]): string {
  switch (entry.kind) {
    case 'prompt':
      return 'prompt';
    case 'answer':
      return 'agent';
    case 'call':
      return `calls ${plain(entry.tool)}`;
    case 'result':
      return entry.failed ? 'the tool failed' : 'the tool returned';
    case 'error':
      return 'error';
    default:
      return entry satisfies never;
  }
}

/** The page of `drover why`: the state with its reason, the decision that led here, what follows or what a person can type. */
export function whyText(why: WhyView, { now, terminal }: Page): string {
  const { worker, last, because } = why;
  const reason = because[0] ?? last?.said[0];
  return [
    workerLine(worker, { terminal }),
    ...(last === null || reason === undefined ? [] : [`Why   ${clockTime(last.at)} ${plain(reason)}`]),
    `Next  ${nextLines(why, now)[0] ?? ''}`,
    paint(`All decisions and deliveries: drover why ${worker.name} --all`, 'dim', terminal.colours),
  ].join('\n');
}

/** Lists what comes next, what concerns a person first. */
function nextLines({ worker, inFlight, next, escalation }: WhyView, now: number): readonly string[] {
  const step = nextStep(worker, escalation !== null);
  const lines = [
    ...(escalation === null ? [] : [escalationLine(escalation)]),
    ...(step === null ? [] : [step]),
    ...(inFlight === null ? [] : [`its machine is running "${inFlight.command}" (since ${ago(now - inFlight.since)})`]),
    ...next.map(({ at, name, meaning }) => `${clockTime(at)} ${name}: ${meaning}`),
  ];
  return lines.length === 0 ? ['nothing until the screen changes'] : lines;
}

/** The page of `drover why --all`. */
export function whyAllText(why: WhyView, { now, terminal }: Page): string {
  const { worker, last, because, about, history, receipts } = why;
  const { colours } = terminal;
  const lines = [workerLine(worker, { terminal }), ''];
  lines.push(paint('Why: the decision that led here', 'bold', colours));
  lines.push(last === null ? '  no decision yet' : indent(eventText(last, { terminal, named: false })));
  for (const reason of because) lines.push(`           because ${plain(reason)}`);
  if (last !== null)
    lines.push(
      `           ${paint(`rules: ${last.rules.join(', ')}; policy ${last.policy ?? 'not recorded'}`, 'dim', colours)}`,
    );
  if (about.length > 0) lines.push('', paint('Its state now', 'bold', colours));
  for (const sentence of about) lines.push(`  ${plain(sentence)}`);
  lines.push('', paint('What comes next', 'bold', colours));
  lines.push(...nextLines(why, now).map((line) => `  ${line}`));
  if (receipts.length > 0) lines.push('', paint('Deliveries', 'bold', colours));
  for (const receipt of receipts) {
    lines.push(
      `  ${clockTime(receipt.at)} ${receipt.purpose} ${receipt.outcome}: ${receipt.bytes} bytes by "${receipt.method}", evidence: ${receipt.evidence.map(plain).join(', ') || 'none'}`,
    );
  }
  const since = history.filter(({ id }) => last !== null && id > last.id);
  const before = history.filter(({ id }) => last !== null && id < last.id);
  if (since.length > 0) lines.push('', paint('Since then', 'bold', colours), ...historyLines(since, terminal));
  if (before.length > 0) lines.push('', paint('Before that', 'bold', colours), ...historyLines(before, terminal));
  return lines.join('\n');
}

function historyLines(events: readonly EventView[], terminal: Terminal): string[] {
  return events.map((event) => indent(eventText(event, { terminal, named: false })));
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}
