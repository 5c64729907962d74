// Measures durations from the wall clock of the kill and of the commands, and from the workers' histories.
import type { EventView } from '@drover/api';
import { KILLED, REJECTED } from './tasks.ts';

/** Row of the table; times are in milliseconds. */
export interface Measure {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly ms: number;
}

/** Times at which things were done to Drover from outside, epoch milliseconds. */
export interface Moments {
  readonly agentKilledAt: number;
}

/** Computes the table. Rows whose events are missing are left out. */
export function measure(events: readonly EventView[], moments: Moments): readonly Measure[] {
  const first = (worker: string, rule: string): number | undefined =>
    events.find((event) => event.worker === worker && event.rules.includes(rule))?.at;
  const [killed, rejected] = [KILLED.worker, REJECTED.worker];
  const kill = ['kill -9', moments.agentKilledAt] as const;
  return [
    ...[killed, rejected].flatMap((worker) =>
      row(
        'deliver',
        [`drover start (${worker})`, first(worker, 'start')],
        ['the agent took the prompt', first(worker, 'taken:task')],
      ),
    ),
    ...row(
      'deliver',
      [`drover reject (${rejected})`, first(rejected, 'reject')],
      ['the agent took the feedback', first(rejected, 'taken:rejection')],
    ),
    ...row('detect', kill, ['Drover knows', first(killed, 'exit:crash')]),
    ...row('recover', kill, ['the agent is ready again', first(killed, 'restore')]),
    ...row('resume', kill, ['the agent works on its task again', first(killed, 'taken:restored')]),
  ];
}

function duration(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(2)} s`;
}

/** A row, if both ends of it have happened. */
function row(name: string, [from, start]: End, [to, end]: End): readonly Measure[] {
  return start === undefined || end === undefined ? [] : [{ name, from, to, ms: Math.max(0, end - start) }];
}

type End = readonly [what: string, at: number | undefined];

/** The table as text. */
export function tableOf(measures: readonly Measure[]): string {
  const width = (key: 'name' | 'from' | 'to'): number => Math.max(...measures.map((row) => row[key].length));
  const [name, from, to] = [width('name'), width('from'), width('to')];
  const rows = measures.map(
    (row) =>
      `${row.name.padEnd(name)}   ${row.from.padEnd(from)} → ${row.to.padEnd(to)}  ${duration(row.ms).padStart(7)}`,
  );
  return rows.join('\n');
}
