/** Keeps a reviewer's comments on lines, for one state of the work. */

/** A comment, as `workers.reject` takes it. */
export interface LineComment {
  readonly path: string;
  readonly line: number;
  readonly side: 'before' | 'after';
  readonly text: string;
}

/** A place in a diff. */
export type Place = Omit<LineComment, 'text'>;

export function keyOf({ path, line, side }: Place): string {
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
  const { path, line, side, text } = value as Readonly<Record<keyof LineComment, unknown>>;
  return (
    typeof path === 'string' &&
    Number.isInteger(line) &&
    (side === 'before' || side === 'after') &&
    typeof text === 'string'
  );
}
