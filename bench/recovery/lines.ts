// Turns the measurements into lines, each with whether it keeps its aim.
import { median, ms, percentile } from '../src/table.ts';
import type { CrashTimes } from './crash.ts';
import { tmuxVersion } from './crash-scene.ts';
import type { Burst } from './due.ts';
import type { Pair } from './saved.ts';

/** Line of the table. */
export interface Line {
  readonly what: string;
  readonly drover: string;
  /** Value measured beside it in the same run; empty where there is nothing. */
  readonly beside: string;
  /** Promised value; empty where the line only explains another. */
  readonly aim: string;
  /** Tells whether the aim is met; null where there is no aim. */
  readonly met: boolean | null;
}

/** A transaction may cost at most so many times its bare SQL. */
const RATIO_MAX = 1.5;
/** Milliseconds from the kill to the stored exit. tmux 3.3a may lose the signal of a child, and asks again only now and then. */
const DETECT_P99_MS = { usual: 150, losesSignals: 350 };
/** The pause of the policy before a restart, in milliseconds. */
const COOL_DOWN_MS = 2_000;
const LATE_P99_MS = 1_000;

/** Reports several rounds of decisions, each with decisions per second and microseconds of each. */
export function decisionLines(
  rounds: readonly { microseconds: readonly number[]; perSecond: number }[],
): readonly Line[] {
  const all = rounds.flatMap(({ microseconds }) => microseconds);
  const perSecond = rounds.map((round) => Math.round(round.perSecond));
  const drover = `${range(perSecond, String)} a second; p50 ${us(median(all))}, p99 ${us(percentile(all, 0.99))}`;
  return [{ what: `decisions in core (${all.length})`, drover, beside: '', aim: '', met: null }];
}

/** Times the bare SQL that a batch may take. */
const BATCHED_MAX = 1.15;

/** Reports several rounds of one size of fleet. The ratio of the middle ones must hold in the middle round. */
export function savedLines(workers: number, together: number, rounds: readonly (readonly Pair[])[]): readonly Line[] {
  const pairs = rounds.flat();
  const ratios = [0.5, 0.99].map((share) => rounds.map((round) => at(round, 'ours', share) / at(round, 'bare', share)));
  const [middle = [], high = []] = ratios;
  const statements = median(pairs.map((pair) => pair.statements));
  const both = (side: 'ours' | 'bare', from = pairs): string =>
    `p50 ${ms(at(from, side, 0.5))}, p99 ${ms(at(from, side, 0.99))}`;
  return [
    {
      what: `${together === 1 ? 'observation' : `${together} observations of one message`} → decision → saved, ${workers} workers (${pairs.length})`,
      drover: both('ours'),
      beside: `its bare SQL (${statements} statements): ${both('bare')}`,
      aim: `at most ${together === 1 ? RATIO_MAX : BATCHED_MAX} times`,
      met: median(middle) <= (together === 1 ? RATIO_MAX : BATCHED_MAX),
    },
    {
      what: '  times the bare SQL, by round',
      drover: `p50 ${range(middle, two)}, p99 ${range(high, two)}`,
      beside: '',
      aim: '',
      met: null,
    },
    ...[...Map.groupBy(pairs, ({ kind }) => kind)].map(([kind, some]) => ({
      what: `  of these: ${kind} (${some.length})`,
      drover: both('ours', some),
      beside: `${median(some.map((pair) => pair.statements))} statements: ${both('bare', some)}`,
      aim: '',
      met: null,
    })),
  ];
}

/** Detection, and the way back, less what the program and the cool-down take by themselves. */
export function crashLines(times: readonly CrashTimes[]): readonly Line[] {
  const version = tmuxVersion();
  const detectMax = version === '3.3a' ? DETECT_P99_MS.losesSignals : DETECT_P99_MS.usual;
  const detect = times.map(({ detectMs }) => detectMs);
  const startUp = times.map(({ startUpMs }) => startUpMs);
  const alone = `starts alone: ${spread(startUp)}`;
  const allowed = percentile(startUp, 0.99) + COOL_DOWN_MS;
  const line = (what: string, values: readonly number[]): Line => ({
    what,
    drover: spread(values),
    beside: alone,
    aim: `p50 at most p99 of that + 2 s`,
    met: median(values) <= allowed,
  });
  return [
    {
      what: `kill -9 → exit stored, tmux ${version} (${times.length})`,
      drover: spread(detect),
      beside: `within 150 ms: ${detect.filter((value) => value <= DETECT_P99_MS.usual).length} of ${times.length}`,
      aim: `p99 ${detectMax} ms`,
      met: percentile(detect, 0.99) <= detectMax,
    },
    line(
      'kill -9 → program ready again',
      times.map(({ readyMs }) => readyMs),
    ),
    {
      what: '  more than starting alone, a moment later, and 2 s',
      drover: spread(times.map(({ readyMs, startUpMs }) => readyMs - startUpMs - COOL_DOWN_MS)),
      beside: '',
      aim: '',
      met: null,
    },
    {
      ...line(
        'kill -9 → task taken again',
        times.map(({ takenMs }) => takenMs),
      ),
      aim: '',
      met: null,
    },
  ];
}

/** Reports the lateness of deadlines. If all are due at one moment, the last one counts, and it has no aim of its own. */
export function lateLine({ timers, withinMs, replicas }: Burst, late: readonly number[]): Line {
  const [when, atOnce] = [withinMs === 0 ? 'at one moment' : `within ${withinMs / 1_000} s`, withinMs === 0];
  return {
    what: `due → done and committed, ${timers} ${when}, ${replicas} ${replicas === 1 ? 'replica' : 'replicas'}`,
    drover: `${spread(late)}, last ${ms(Math.max(...late))}`,
    beside: '',
    aim: atOnce ? '' : `p99 ${LATE_P99_MS} ms`,
    met: atOnce ? null : late.length === timers && percentile(late, 0.99) < LATE_P99_MS,
  };
}

function at(pairs: readonly Pair[], side: 'ours' | 'bare', share: number): number {
  return percentile(
    pairs.map((pair) => pair[side]),
    share,
  );
}

function spread(values: readonly number[]): string {
  return `p50 ${ms(median(values))}, p99 ${ms(percentile(values, 0.99))}`;
}

function range(values: readonly number[], words: (value: number) => string): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return least === most ? words(least) : `${words(least)} to ${words(most)}`;
}

function us(value: number): string {
  return `${value.toFixed(1)} µs`;
}

function two(value: number): string {
  return value.toFixed(2);
}
