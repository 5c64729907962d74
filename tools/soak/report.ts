// What does the soak say: a line for people, and the verdict at its end?
import type { Counts } from './count.ts';
import type { Growth } from './leaks.ts';

/** One counting. */
export interface Row {
  readonly at: string;
  readonly ranMs: number;
  readonly counts: Counts;
  readonly mishaps: Readonly<Record<string, number>>;
  readonly codes: readonly { readonly code: string; readonly count: number; readonly recovered: number }[];
  readonly growth: readonly Growth[];
}

/** The line of one counting. */
export function lineOf({ ranMs, counts, mishaps, codes, growth }: Row): string {
  const { given, done, told, lost, doubled, unmerged, restored } = counts;
  const struck = Object.entries(mishaps).map(([name, times]) => `${name} ${times}`);
  const met = codes.map(({ code, count, recovered }) => `${code} ${recovered}/${count}`);
  const sizes = growth.map(
    ({ name, livedMs, bytes, bytesPerHour, handlesPerHour }) =>
      `${name} ${Math.round(bytes / 1_048_576)} MiB, ${(bytesPerHour / 1_048_576).toFixed(1)} MiB/h ${handlesPerHour.toFixed(1)} handles/h in ${minutes(livedMs)}`,
  );
  return [
    `${minutes(ranMs)}: ${given} given, ${done} done, ${told} told, ${lost.length} lost, ${doubled.length} doubled, ${unmerged.length} not merged, ${restored} restored`,
    `  struck: ${struck.join(', ') || 'nothing'}`,
    `  recovered: ${met.join(', ') || 'nothing'}`,
    `  grows: ${sizes.join('; ') || 'not known yet'}`,
  ].join('\n');
}

function minutes(ms: number): string {
  return `${(ms / 60_000).toFixed(1)} min`;
}

/** All that is wrong at the end; nothing when the promises were kept. */
export function verdict({ counts, growth }: Row): readonly string[] {
  const { given, done, told, lost, doubled, unmerged } = counts;
  return [
    ...lost.map((task) => `${task} was lost`),
    ...doubled.map((task) => `${task} was done twice`),
    ...unmerged.map((task) => `${task} is done and not in the default branch`),
    ...(given === done + told + lost.length ? [] : [`${given - done - told - lost.length} task(s) have no end`]),
    ...(done === 0 ? ['nothing was done at all'] : []),
    ...growth.flatMap(({ name, leaks, bytesPerHour, handlesPerHour }) =>
      leaks === true
        ? [`${name} grows: ${Math.round(bytesPerHour)} bytes/h, ${handlesPerHour.toFixed(1)} handles/h`]
        : [],
    ),
  ];
}
