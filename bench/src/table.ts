// Prints measurements, and puts many of one kind into a few numbers.

/** The value below which the share `p` of the values lies (nearest rank). NaN where there are none. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)] ?? Number.NaN;
}

/** The middle value: unlike the mean, it does not care about one round that a busy machine made slow. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** Prints one digit behind the point: a clock that other programs disturb is good for no more. */
export function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}

/** Rows under a head, columns as wide as their widest cell; all but the first stand to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]): string =>
    widths
      .map((width, column) => pad(row[column] ?? '', column, width))
      .join('  ')
      .trimEnd();
  return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n');
}

function pad(cell: string, column: number, width: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}
