/** Keeps a reviewer's comments on lines, for one state of the work. */

/** A comment, as `workers.reject` takes it. */
export interface LineComment {
  readonly path: string;
  readonly line: number;
  readonly side: 'before' | 'after';
  /** First of several lines, of which `line` is the last. */
  readonly from?: number;
  readonly text: string;
}

/** A place in a diff. */
export type Place = Omit<LineComment, 'text'>;

/** Names a place for people. */
export function placeText({ path, line, side, from }: Place): string {
  const lines = from === undefined ? `line ${line}` : `lines ${from} to ${line}`;
  return `${lines} of ${path}${side === 'before' ? ', before the change' : ''}`;
}

export function keyOf({ path, line, side }: Pick<Place, 'path' | 'line' | 'side'>): string {
  return `${side} ${line} ${path}`;
}

/** Puts a comment at a place, in place of the one that is there. A comment without words is taken away. */
export function withComment(comments: readonly LineComment[], comment: LineComment): readonly LineComment[] {
  const others = comments.filter((one) => keyOf(one) !== keyOf(comment));
  return comment.text.trim() === '' ? others : [...others, comment];
}

/** Reads kept comments; anything else that is kept there counts as none. */
export function readComments(kept: string): readonly LineComment[] {
  try {
    const parsed: unknown = JSON.parse(kept);
    return Array.isArray(parsed) ? parsed.filter(isComment) : [];
  } catch {
    return [];
  }
}

function isComment(value: unknown): value is LineComment {
  if (typeof value !== 'object' || value === null) return false;
  const { path, line, side, text, from } = value as Readonly<Record<keyof LineComment, unknown>>;
  return (
    typeof path === 'string' &&
    Number.isInteger(line) &&
    (from === undefined || Number.isInteger(from)) &&
    (side === 'before' || side === 'after') &&
    typeof text === 'string'
  );
}
