/** How machines are printed. */
import type { MachineView } from '@drover/api';
import { ago, paint, plain, table } from '../../terminal/style.ts';
import type { Page } from '../../program/answer.ts';

/** The page of `drover machines`. */
export function machinesText(machines: readonly MachineView[], { now, terminal }: Page): string {
  if (machines.length === 0)
    return 'No machine has joined: run "drover up", or "drover machines invite" for another machine.';
  const someWait = machines.some(({ rotateSince }) => rotateSince !== null);
  const someRest = machines.some(({ cordon }) => cordon !== null);
  const someLabels = machines.some(({ labels }) => labels.length > 0);
  const rows = machines.map((machine) => [
    plain(machine.name),
    paint(machine.state, machine.state === 'connected' ? 'green' : 'red', terminal.colours),
    ...(someRest ? [cordonOf(machine)] : []),
    ...(someLabels ? [machine.labels.map(plain).join(',')] : []),
    machine.capacity === null ? `${machine.workers} worker(s)` : `${machine.workers} of ${machine.capacity} worker(s)`,
    machine.lastSeenAt === null ? 'never seen' : ago(now - machine.lastSeenAt),
    ...(someWait ? [machine.rotateSince === null ? '' : 'waits for its new key'] : []),
    [...(machine.dialledUrl === null ? [] : [`by ${plain(machine.dialledUrl)}`]), ...factsOf(machine)].join(', '),
  ]);
  return table(rows, terminal.columns);
}

/** Whether it gets new work, and what those that are to leave it wait for. */
function cordonOf({ cordon }: MachineView): string {
  if (cordon === null) return '';
  if (cordon.drain === null) return `cordoned by ${plain(cordon.by)}`;
  const { doneAt, waits } = cordon.drain;
  const left = Object.entries(waits).map(([worker, why]) => `${plain(worker)} ${plain(why)}`);
  const state = doneAt === null ? 'drains' : 'drained';
  return left.length === 0 ? state : `${state}: ${left.join('; ')}`;
}

function factsOf({ facts }: MachineView): readonly string[] {
  return Object.entries(facts ?? {}).map(([name, value]) => `${name} ${plain(value)}`);
}
