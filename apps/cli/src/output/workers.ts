/** How do workers, machines and histories look in a terminal? */
import type { EventView, MachineView, WhyView, WorkerView } from '@drover/api';
import type { Terminal } from '../terminal.ts';
import { escalationLine } from './escalation-line.ts';
import { nextStep, waiting } from './next-step.ts';
import { ago, paint, paintStatus, plain, table } from './style.ts';

/** The page of `drover status`. */
export function statusText(
  workers: readonly WorkerView[],
  { now, terminal, asked = new Set() }: { now: number; terminal: Terminal; asked?: ReadonlySet<string> },
): string {
  if (workers.length === 0) return 'No workers yet: run "drover add NAME".';
  const { colours, columns } = terminal;
  const someAreCutOff = workers.some(isCutOff);
  const rows = workers.map((worker) => [
    worker.name,
    paintStatus(worker.status, colours),
    ...(someAreCutOff ? [isCutOff(worker) ? paint(`machine ${worker.machineState}`, 'red', colours) : ''] : []),
    ago(now - worker.updatedAt),
    summary(worker),
  ]);
  const forYou = waiting(workers, asked);
  return [table(rows, columns), ...(forYou.length === 0 ? [] : ['', ...forYou])].join('\n');
}

function summary({ status, note, prompt, accepting }: WorkerView): string {
  if (accepting !== null) return `being merged (${accepting}): ${plain(note)}`;
  if (status === 'idle') return 'ready for a task';
  const what = prompt === null ? '' : plain(prompt).slice(0, 60);
  return [plain(note), what === '' ? '' : `· ${what}`].filter((part) => part !== '').join(' ');
}

function isCutOff({ machineState }: WorkerView): boolean {
  return machineState !== 'connected';
}

/** One line about one worker: its state, and why. */
export function workerLine({ name, status, note }: WorkerView, terminal: Terminal): string {
  return `${name} is ${paintStatus(status, terminal.colours)}${note === '' ? '' : `: ${plain(note)}`}`;
}

/** The page of `drover machines`. */
export function machinesText(
  machines: readonly MachineView[],
  { now, terminal }: { now: number; terminal: Terminal },
): string {
  if (machines.length === 0)
    return 'No machine has joined: run "drover up", or "drover machines invite" for another machine.';
  const someWait = machines.some(({ rotateSince }) => rotateSince !== null);
  const rows = machines.map((machine) => [
    plain(machine.name),
    paint(machine.state, machine.state === 'connected' ? 'green' : 'red', terminal.colours),
    `${machine.workers} worker(s)`,
    machine.lastSeenAt === null ? 'never seen' : ago(now - machine.lastSeenAt),
    ...(someWait ? [machine.rotateSince === null ? '' : 'a new key is waited for'] : []),
    [...(machine.dialledUrl === null ? [] : [`by ${plain(machine.dialledUrl)}`]), ...factsOf(machine)].join(', '),
  ]);
  return table(rows, terminal.columns);
}

function factsOf({ facts }: MachineView): readonly string[] {
  return Object.entries(facts ?? {}).map(([name, value]) => `${name} ${plain(value)}`);
}

/** `12:00:03`, in the local time zone. */
export function clockTime(at: number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
}

/** One event with everything that was said about it. */
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

/** The page of `drover why`. */
export function whyText(
  { worker, last, because, about, history, inFlight, next, receipts, escalation }: WhyView,
  { now, terminal }: { now: number; terminal: Terminal },
): string {
  const { colours } = terminal;
  const lines = [workerLine(worker, terminal), ''];
  lines.push(paint('Why: the decision that led here', 'bold', colours));
  lines.push(last === null ? '  nothing was decided yet' : indent(eventText(last, { terminal, named: false })));
  for (const reason of because) lines.push(`           because ${plain(reason)}`);
  if (last !== null)
    lines.push(
      `           ${paint(`rules: ${last.rules.join(', ')}; policy ${last.policy ?? 'not recorded'}`, 'dim', colours)}`,
    );
  if (about.length > 0) lines.push('', paint('How it stands', 'bold', colours));
  for (const sentence of about) lines.push(`  ${plain(sentence)}`);
  lines.push('', paint('What comes next', 'bold', colours));
  if (inFlight !== null)
    lines.push(`  the machine is carrying out "${inFlight.op}" (since ${ago(now - inFlight.since)})`);
  for (const { at, name, meaning } of next) lines.push(`  ${clockTime(at)} ${name}: ${meaning}`);
  if (escalation !== null) lines.push(`  ${escalationLine(escalation)}`);
  const step = nextStep(worker, escalation !== null);
  if (step !== null) lines.push(`  ${step}`);
  else if (inFlight === null && next.length === 0) lines.push('  nothing by itself until the screen changes');
  if (receipts.length > 0) lines.push('', paint('Deliveries', 'bold', colours));
  for (const receipt of receipts) {
    lines.push(
      `  ${clockTime(receipt.at)} ${receipt.purpose} ${receipt.outcome}: ${receipt.bytes} bytes by "${receipt.method}", evidence: ${receipt.evidence.map(plain).join(', ') || 'none'}`,
    );
  }
  const since = history.filter(({ id }) => last !== null && id > last.id);
  const before = history.filter(({ id }) => last !== null && id < last.id);
  if (since.length > 0) lines.push('', paint('Since then', 'bold', colours), ...told(since, terminal));
  if (before.length > 0) lines.push('', paint('Before that', 'bold', colours), ...told(before, terminal));
  return lines.join('\n');
}

function told(events: readonly EventView[], terminal: Terminal): string[] {
  return events.map((event) => indent(eventText(event, { terminal, named: false })));
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}
