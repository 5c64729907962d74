/** Formats the values of the recovery policy. */
import type { PolicyView } from '@drover/api';
import { table } from '../../../terminal/style.ts';

type Value = PolicyView['entries'][number]['value'];

/** Columns of the longest value that is printed beside its key; a longer one has its own lines. */
const VALUE_COLUMNS_MAX = 20;

/** Formats the page of `drover debug policy show`. `worker` is the worker of the values; undefined for the project. */
export function policyText({ version, entries }: PolicyView, worker: string | undefined, columns: number): string {
  const from = { default: '', project: '[policy]', worker: `[workers.${worker ?? ''}.policy]` } as const;
  const rows = entries.map((one) => {
    const said = String(one.value);
    const isLong = said.length > VALUE_COLUMNS_MAX;
    return { cells: [one.key, isLong ? '' : said, timeText(one.key, one.value), from[one.from]], one, isLong };
  });
  const lines = table(
    rows.map(({ cells }) => cells),
    columns,
  ).split('\n');
  return [
    `Policy ${version}`,
    ...rows.flatMap(({ one, isLong }, index) => [lines[index] ?? '', ...(isLong ? partLines(one.value) : [])]),
  ].join('\n');
}

/** Formats a line for each part of a list, or the whole value. */
function partLines(value: Value): string[] {
  return partsOf(String(value)).map((part) => `  ${part}`);
}

function partsOf(said: string): readonly string[] {
  try {
    const parts: unknown = JSON.parse(said);
    return Array.isArray(parts) ? parts.map((part) => JSON.stringify(part)) : [said];
  } catch {
    return [said];
  }
}

const UNITS = [
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** Formats a time: `45 min` for 2700000, if the key means milliseconds and a larger unit is exact. */
export function timeText(key: string, value: Value): string {
  if (typeof value !== 'number' || value === 0 || !/Ms(\.|$)/.test(key) || key.endsWith('factor')) return '';
  const unit = UNITS.find(([, ms]) => value % ms === 0);
  return unit === undefined ? '' : `${value / unit[1]} ${unit[0]}`;
}
