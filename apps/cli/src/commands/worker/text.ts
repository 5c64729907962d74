/** Formats workers and their histories. */
import type { ConversationView, EventView, WhyView, WorkerView } from '@drover/api';
import { showHidden } from '@drover/core/hidden-characters';
import type { Page } from '../../program/answer.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { escalationLine } from '../escalation/line.ts';
import { nextStep, waitingLines } from './next-step.ts';
import { ago, clockTime, paint, plain, table } from '../../terminal/style.ts';
import { paintStatus } from './next-step.ts';

/** The page of `drover status`. */
export function statusText(
  workers: readonly WorkerView[],
  { now, terminal, asked = new Set() }: { now: number; terminal: Terminal; asked?: ReadonlySet<string> },
): string {
  if (workers.length === 0) return 'No workers yet: run "drover add NAME".';
  const { colours, columns } = terminal;
  const someAreCutOff = workers.some(isCutOff);
  const areOfSeveral = new Set(workers.map(({ project }) => project)).size > 1;
  const rows = workers.map((worker) => [
    areOfSeveral ? `${plain(worker.project)}/${worker.name}` : worker.name,
    paintStatus(worker.status, colours),
    ...(someAreCutOff ? [isCutOff(worker) ? paint(`machine ${worker.machineState}`, 'red', colours) : ''] : []),
    ago(now - worker.since),
    summary(worker),
  ]);
  const forYou = waitingLines(workers, asked);
  const below = [...workers.flatMap((worker) => lackLines(worker, { terminal })), ...forYou];
  return [table(rows, columns), ...(below.length === 0 ? [] : ['', ...below])].join('\n');
}

function summary({ status, note, prompt, accepting, moving, stopping }: WorkerView): string {
  if (moving !== null) return plain(moving);
  if (accepting !== null) return `being merged (${accepting}): ${plain(note)}`;
  if (status === 'idle') return stopping ? `${plain(note)}: its agent has not stopped yet` : 'ready for a task';
  const what = prompt === null ? '' : plain(prompt).slice(0, 60);
  return [plain(note), what === '' ? '' : `· ${what}`].filter((part) => part !== '').join(' ');
}

function isCutOff({ machineState }: WorkerView): boolean {
  return machineState !== 'connected';
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

/** The page of `drover why`. */
export function whyText(
  { worker, last, because, about, history, inFlight, next, receipts, escalation }: WhyView,
  { now, terminal }: Page,
): string {
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
  if (inFlight !== null)
    lines.push(`  its machine is running "${inFlight.command}" (since ${ago(now - inFlight.since)})`);
  for (const { at, name, meaning } of next) lines.push(`  ${clockTime(at)} ${name}: ${meaning}`);
  if (escalation !== null) lines.push(`  ${escalationLine(escalation)}`);
  const step = nextStep(worker, escalation !== null);
  if (step !== null) lines.push(`  ${step}`);
  else if (inFlight === null && next.length === 0) lines.push('  nothing until the screen changes');
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
