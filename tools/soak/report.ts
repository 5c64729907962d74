// Prints the soak: a line for people from time to time, a table at its end, and the verdict.
import type { MishapLine } from './chaos.ts';
import type { Counts } from './count.ts';
import type { Growth, Stock } from './leaks.ts';

/** Counting over all runs. */
export interface Row {
  readonly at: string;
  readonly ranMs: number;
  /** Times that the soak was started. */
  readonly runs: number;
  readonly counts: Counts;
  readonly mishaps: readonly MishapLine[];
  /** Processes that ended although the soak did not kill them. */
  readonly ownEnds: Readonly<Record<string, number>>;
  readonly codes: readonly { readonly code: string; readonly count: number; readonly recovered: number }[];
  readonly processes: readonly Growth[];
  readonly stocks: readonly Stock[];
}

const MIB = 1_024 * 1_024;

/** The lines of one counting. */
export function linesFor({ ranMs, counts, mishaps, codes }: Row): string {
  const { given, done, told, refused, lost, doubled, unmerged, restored } = counts;
  const struck = [...Map.groupBy(mishaps, ({ mishap }) => mishap)].map(([name, all]) => `${name} ${all.length}`);
  return [
    `${minutes(ranMs)}: ${given} given, ${done} done, ${told} told, ${refused} refused, ${lost.length} lost, ${doubled.length} doubled, ${unmerged.length} not merged, ${restored} restored`,
    `  struck: ${struck.join(', ') || 'nothing'}`,
    `  recovered: ${codes.map(({ code, count, recovered }) => `${code} ${recovered}/${count}`).join(', ') || 'nothing'}`,
  ].join('\n');
}

/** The table at the end, in Markdown. */
export function tableOf(row: Row): string {
  const { ranMs, runs, counts, mishaps, ownEnds, processes, stocks } = row;
  const { given, done, told, refused, lost, doubled, unmerged, restored } = counts;
  const struck = [...Map.groupBy(mishaps, ({ mishap }) => mishap)].toSorted(([one], [other]) =>
    one.localeCompare(other),
  );
  const facts: readonly (readonly string[])[] = [
    ['ran', `${minutes(ranMs)}, started ${runs} time(s)`],
    ['tasks', `${given} given, ${done} done and merged, ${told} told, ${refused} refused`],
    ['lost; doubled; not merged', `${lost.length}; ${doubled.length}; ${unmerged.length}`],
    ['given again after a cut, with a note', String(restored)],
    ['processes that ended by themselves', words(ownEnds)],
  ];
  return [
    table(['what', 'how much'], facts),
    table(
      ['mishap', 'times', 'well again after: p50', 'p99', 'never'],
      struck.map(([name, all]) => [name, String(all.length), ...wellIn(all)]),
    ),
    table(
      ['process, its longest life', 'memory', 'grows by', 'handles', 'leak'],
      processes.map(({ name, livedMs, bytes, bytesPerHour, handlesPerHour, leaks }) => [
        `${name}, ${minutes(livedMs)}`,
        `${mib(bytes)} MiB`,
        `${mib(bytesPerHour)} MiB/h`,
        `${handlesPerHour.toFixed(1)}/h`,
        isLeak(leaks),
      ]),
    ),
    table(
      ['stock', 'now', 'grows by', 'leak'],
      stocks.map(({ name, now, perHour, leaks }) =>
        name.startsWith('bytes')
          ? [name, `${mib(now)} MiB`, `${mib(perHour)} MiB/h`, isLeak(leaks)]
          : [name, String(now), `${perHour.toFixed(1)}/h`, isLeak(leaks)],
      ),
    ),
  ].join('\n\n');
}

/** All that is wrong at the end; nothing when the promises were kept. */
export function verdict({ counts, mishaps, processes, stocks }: Row): readonly string[] {
  const { given, done, told, refused, lost, doubled, unmerged } = counts;
  const open = given - done - told - refused - lost.length;
  return [
    ...lost.map((task) => `${task} was lost`),
    ...doubled.map((task) => `${task} was done twice`),
    ...unmerged.map((task) => `${task} is done and not in the default branch`),
    ...(open > 0 ? [`${open} task(s) have no end`] : []),
    ...(done === 0 ? ['nothing was done at all'] : []),
    ...mishaps.filter(({ wellMs }) => wellMs === null).map(({ mishap, at }) => `not well again: ${mishap} at ${at}`),
    ...[...processes, ...stocks]
      .filter(({ leaks }) => leaks === true)
      .map(({ name }) => `it grows and should not: ${name}`),
  ];
}

function wellIn(all: readonly MishapLine[]): readonly string[] {
  const times = all.flatMap(({ wellMs }) => wellMs ?? []).toSorted((one, other) => one - other);
  const at = (share: number): string => {
    const value = times[Math.min(times.length - 1, Math.floor(times.length * share))];
    return value === undefined ? '' : `${(value / 1_000).toFixed(1)} s`;
  };
  return [at(0.5), at(0.99), String(all.length - times.length)];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [inTable(head), inTable(head.map(() => '---')), ...rows.map(inTable)].join('\n');
}

function inTable(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function words(counts: Readonly<Record<string, number>>): string {
  const all = Object.entries(counts).filter(([, times]) => times > 0);
  return all.map(([name, times]) => `${name} ${times}`).join(', ') || 'none';
}

function isLeak(leaks: boolean | null): string {
  return leaks === null ? '' : leaks ? '**yes**' : 'no';
}

function minutes(ms: number): string {
  return `${(ms / 60_000).toFixed(1)} min`;
}

function mib(bytes: number): string {
  return (bytes / MIB).toFixed(1);
}
