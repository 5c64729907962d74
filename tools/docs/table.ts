// Writes Markdown tables as the formatter of this repository writes them.

/** A Markdown table with padded columns. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, column) => Math.max(...[head, ...rows].map((row) => (row[column] ?? cell).length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** The same page with every table padded: its cells may have grown since they were written. */
export function padTables(page: string): string {
  return page.replaceAll(/(?:^\|.*\|\n)+/gmu, (found) => {
    const [head = [], , ...rows] = found.trimEnd().split('\n').map(cellsOf);
    return `${table(head, rows)}\n`;
  });
}

/** A bar in a code span is written as `\|`, and separates nothing. */
function cellsOf(line: string): readonly string[] {
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/u)
    .map((cell) => cell.trim());
}
