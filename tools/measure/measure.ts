/** A line of the table of measures, and how lines are counted. */

export interface Measure {
  readonly of: string;
  /** Value counted by hand when the aims were set. */
  readonly first: string;
  readonly aim: string;
  readonly today: string;
  readonly isKept: boolean;
}

/** A measure that is kept where it is not above its aim. */
export function line(
  of: string,
  { first, aim }: { readonly first: number | null; readonly aim: number | null },
  today: number,
): Measure {
  return { of, first: shown(first), aim: shown(aim), today: shown(today), isKept: aim === null || today <= aim };
}

/** Lines of files. */
export function countLines(sources: readonly { readonly text: string }[]): number {
  return sources.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
}

function shown(number: number | null): string {
  return number === null ? '' : number.toLocaleString('en');
}
