// Turns the measurements into figures, each with whether it keeps its aim.
import { spread, type Figure } from '../src/figures.ts';
import { median, ms, percentile } from '../src/table.ts';
import type { Burst } from './due.ts';
import type { Pair } from './saved.ts';

/** Times the bare SQL that a transaction may take: with one observation, and with a batch. */
const TIMES_MAX = { single: 1.5, batch: 1.15 };
const LATE_P99_MS = 1_000;

/** Reports several rounds of decisions, each with decisions per second and microseconds of each. */
export function decisionFigures(
  rounds: readonly { microseconds: readonly number[]; perSecond: number }[],
): readonly Figure[] {
  const all = rounds.flatMap(({ microseconds }) => microseconds);
  const perSecond = rounds.map((round) => Math.round(round.perSecond));
  const [p50, p99] = [0.5, 0.99].map((share) => percentile(all, share).toFixed(1));
  const measured = `${range(perSecond, String)} a second; p50 ${p50} µs, p99 ${p99} µs`;
  return [{ what: `decisions in core (${all.length})`, measured }];
}

/** Reports several rounds of one size of fleet. The ratio of the middle ones must hold in the middle round. */
export function savedFigures(
  workers: number,
  together: number,
  rounds: readonly (readonly Pair[])[],
): readonly Figure[] {
  const pairs = rounds.flat();
  const ratios = (share: number): readonly number[] =>
    rounds.map((round) => percentile(of(round, 'ours'), share) / percentile(of(round, 'bare'), share));
  const most = together === 1 ? TIMES_MAX.single : TIMES_MAX.batch;
  const what = together === 1 ? 'observation' : `${together} observations of one message`;
  return [
    {
      ...figureOf(`${what} → decision → saved, ${workers} workers`, pairs),
      aim: { is: `at most ${most} times`, isKept: median(ratios(0.5)) <= most },
    },
    {
      what: '  times the bare SQL, by round',
      measured: `p50 ${range(ratios(0.5), two)}, p99 ${range(ratios(0.99), two)}`,
    },
    ...[...Map.groupBy(pairs, ({ kind }) => kind)].map(([kind, some]) => figureOf(`  of these: ${kind}`, some)),
  ];
}

function figureOf(what: string, pairs: readonly Pair[]): Figure {
  const statements = median(pairs.map((pair) => pair.statements));
  return {
    what: `${what} (${pairs.length})`,
    measured: spread(of(pairs, 'ours')),
    beside: `its bare SQL, ${statements} statements: ${spread(of(pairs, 'bare'))}`,
  };
}

/** Reports the lateness of deadlines. If all are due at one moment, the last one counts, and it has no aim of its own. */
export function lateFigure({ timers, withinMs, replicas }: Burst, late: readonly number[]): Figure {
  const when = withinMs === 0 ? 'at one moment' : `within ${withinMs / 1_000} s`;
  const isKept = late.length === timers && percentile(late, 0.99) < LATE_P99_MS;
  return {
    what: `due → done and committed, ${timers} ${when}, ${replicas} ${replicas === 1 ? 'replica' : 'replicas'}`,
    measured: `${spread(late)}, last ${ms(Math.max(...late))}`,
    ...(withinMs > 0 && { aim: { is: `p99 ${LATE_P99_MS} ms`, isKept } }),
  };
}

function of(pairs: readonly Pair[], side: 'ours' | 'bare'): readonly number[] {
  return pairs.map((pair) => pair[side]);
}

function range(values: readonly number[], words: (value: number) => string): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return least === most ? words(least) : `${words(least)} to ${words(most)}`;
}

function two(value: number): string {
  return value.toFixed(2);
}
