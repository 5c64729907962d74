/** Finds the conflict markers in a file, and the lines of each side. Pure. */

/** Lines shown before and after a region: enough to find the place, and a prompt with many regions stays short. */
const CONTEXT_LINES = 5;

/** Region between `<<<<<<<` and `>>>>>>>`. */
export interface ConflictRegion {
  /** The line of the opening marker, counted from 1. */
  readonly line: number;
  readonly before: readonly string[];
  /** Stage 2: in a rebase the side of the default branch. */
  readonly defaultSide: readonly string[];
  /** Lines of stage 1, when git was told to show it (`merge.conflictStyle` diff3 or zdiff3). */
  readonly ancestor: readonly string[] | undefined;
  /** Stage 3: in a rebase the worker's side. */
  readonly workerSide: readonly string[];
  readonly after: readonly string[];
}

const OPEN = /^<{7}(\s|$)/;
const ANCESTOR = /^\|{7}(\s|$)/;
const MIDDLE = /^={7}\r?$/;
const CLOSE = /^>{7}(\s|$)/;

/** Finds the regions. A region that is not closed is not one: somebody is in the middle of editing it. */
export function parseRegions(text: string): ConflictRegion[] {
  const lines = text.split('\n');
  const regions: ConflictRegion[] = [];
  let start = lines.findIndex((line) => OPEN.test(line));
  while (start !== -1) {
    const region = readRegion(lines, start);
    if (region) regions.push(region.region);
    const from = region ? region.end + 1 : start + 1;
    start = lines.findIndex((line, index) => index >= from && OPEN.test(line));
  }
  return regions;
}

function readRegion(lines: readonly string[], start: number): { region: ConflictRegion; end: number } | undefined {
  const find = (pattern: RegExp, from: number): number =>
    lines.findIndex((line, index) => index > from && pattern.test(line));
  const middle = find(MIDDLE, start);
  const end = find(CLOSE, start);
  if (middle === -1 || end === -1 || end < middle) return undefined;
  const bar = find(ANCESTOR, start);
  const hasAncestor = bar !== -1 && bar < middle;
  return {
    end,
    region: {
      line: start + 1,
      before: lines.slice(Math.max(0, start - CONTEXT_LINES), start),
      defaultSide: lines.slice(start + 1, hasAncestor ? bar : middle),
      ancestor: hasAncestor ? lines.slice(bar + 1, middle) : undefined,
      workerSide: lines.slice(middle + 1, end),
      after: lines.slice(end + 1, end + 1 + CONTEXT_LINES),
    },
  };
}
