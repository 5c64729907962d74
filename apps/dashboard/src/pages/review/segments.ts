/** Cuts a line into pieces for drawing: by the tokens of its language, and by the words that changed. */
import type { DiffLine } from '@drover/protocol/diff-lines';

/** A part of a line, from a character to before another. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A token of a language. */
export interface Token extends Span {
  readonly name: string;
}

export interface Segment {
  readonly text: string;
  /** Name of the token; null: none. */
  readonly name: string | null;
  readonly isMarked: boolean;
}

/** @param tokens In their sequence, without overlaps. */
export function segmentsOf(text: string, tokens: readonly Token[], marked: Span | null): readonly Segment[] {
  const cuts = [0, text.length, ...tokens.flatMap(({ from, to }) => [from, to])];
  if (marked !== null) cuts.push(marked.from, marked.to);
  const places = [...new Set(cuts)].filter((at) => at >= 0 && at <= text.length).toSorted((one, other) => one - other);
  let next = 0;
  return places.slice(0, -1).map((from, index) => {
    const to = places[index + 1] ?? text.length;
    while ((tokens[next]?.to ?? text.length) <= from && next < tokens.length) next += 1;
    const token = tokens[next];
    return {
      text: text.slice(from, to),
      name: token !== undefined && token.from <= from && token.to >= to ? token.name : null,
      isMarked: marked !== null && marked.from <= from && marked.to >= to,
    };
  });
}

/** Share of a line that must stay for its changed words to be marked: two lines without anything in common are two lines. */
const KEPT_SHARE = 0.3;

/**
 * Finds the words that changed in lines that replace one another: as many removed ones as added ones below them. Each pair is compared
 * when one of its lines is drawn: of a long file few are.
 */
export function changedWords(lines: readonly DiffLine[]): (line: DiffLine) => Span | undefined {
  const partners = new Map<DiffLine, DiffLine>();
  for (let at = 0; at < lines.length;) {
    const removed = runOf(lines, at, 'removed');
    const added = runOf(lines, at + removed.length, 'added');
    if (removed.length === added.length)
      for (const [index, before] of removed.entries()) {
        const after = added[index];
        if (after === undefined) continue;
        partners.set(before, after).set(after, before);
      }
    at += Math.max(1, removed.length + added.length);
  }
  return (line) => {
    const partner = partners.get(line);
    return partner === undefined ? undefined : spanIn(line.text, partner.text);
  };
}

function runOf(lines: readonly DiffLine[], from: number, kind: DiffLine['kind']): readonly DiffLine[] {
  let to = from;
  while (lines[to]?.kind === kind) to += 1;
  return lines.slice(from, to);
}

/** The part of a text that another one has not. */
function spanIn(text: string, partner: string): Span | undefined {
  const [one, other] = [text.split(WORDS), partner.split(WORDS)];
  const least = Math.min(one.length, other.length);
  let start = 0;
  while (start < least && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < least - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const head = one.slice(0, start).join('').length;
  const tail = one.slice(one.length - end).join('').length;
  if ((head + tail) / Math.max(1, text.length, partner.length) < KEPT_SHARE) return undefined;
  return head < text.length - tail ? { from: head, to: text.length - tail } : undefined;
}

/** Begins and ends of words. */
const WORDS = /(?<=\w)(?=\W)|(?<=\W)(?=\w)|(?<=\W)(?=\W)/u;
