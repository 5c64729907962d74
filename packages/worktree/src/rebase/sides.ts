/**
 * Finds changes that a rebase lost, and whose they are. Compares four commits by their files: where the branches
 * parted, what was rebased, what it was rebased onto, and the result. Pure.
 */
import { type Changes, type Entry, isFile, isSame } from './changes.ts';

/** Comparisons of the four commits with each other, and the renames between what was rebased and the result. */
export interface Sides {
  /** Changes from where the branches parted to what was rebased. */
  readonly own: Changes;
  /** Changes from where the branches parted to what it was rebased onto. */
  readonly others: Changes;
  /** Changes from what it was rebased onto to the result. */
  readonly made: Changes;
  readonly moved: ReadonlyMap<string, string>;
}

/** A file of which one side was taken whole. Only its text says whether the other side has lost something by that. */
export interface TakenWhole {
  readonly path: string;
  readonly side: 'own' | 'others';
  readonly base: Entry | null;
  readonly own: Entry;
  readonly others: Entry;
}

/** Result of the comparison. Paths are sorted. */
export interface SidesFound {
  /** The worker's own changes that are not there. */
  readonly lost: readonly string[];
  /** Changes of others that are not there. */
  readonly undone: readonly string[];
  readonly whole: readonly TakenWhole[];
  /** Paths where one side had to go: deleted here and changed there, or no text. */
  readonly chosen: readonly string[];
}

/** Entries of the four commits at one path. */
interface Path {
  readonly base: Entry | null;
  readonly own: Entry | null;
  readonly others: Entry | null;
  readonly now: Entry | null;
}

type Verdict =
  | { readonly kind: 'fine' | 'lost' | 'undone' | 'chosen'; readonly path: string }
  | { readonly kind: 'whole'; readonly whole: TakenWhole };

/** The file without a byte, in repositories of either kind of id. */
const EMPTY_BLOBS: ReadonlySet<string> = new Set([
  'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391',
  '473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813',
]);

/** Compares the sides path by path. */
export function compareSides(sides: Sides): SidesFound {
  const { own, others, made } = sides;
  const paths = [...new Set([...own.paths.keys(), ...others.paths.keys(), ...made.paths.keys()])].sort();
  const verdicts = paths.map((path) => judgePath(sides, path));
  const of = (kind: 'lost' | 'undone' | 'chosen'): string[] => [
    ...new Set(verdicts.flatMap((verdict) => (verdict.kind === kind ? [verdict.path] : []))),
  ];
  const whole = verdicts.flatMap((verdict) => (verdict.kind === 'whole' ? [verdict.whole] : []));
  return { lost: of('lost'), undone: of('undone'), chosen: of('chosen'), whole };
}

/** Tells whether the other side has what the worker's own change made of each path, there or somewhere else. */
export function containsOwn({ own, others }: Pick<Sides, 'own' | 'others'>): boolean {
  const known = new Set([...others.paths.values()].map(({ after }) => after?.blob));
  return [...own.paths].every(([path, { before, after }]) => {
    const change = others.paths.get(path);
    return isSame(after, change === undefined ? before : change.after) || (after !== null && known.has(after.blob));
  });
}

function judgePath(sides: Sides, path: string): Verdict {
  const { base, own, others, now } = at(sides, path);
  const fine = { kind: 'fine', path } as const;
  const byOwn = !isSame(own, base);
  const byOthers = !isSame(others, base);
  if (byOwn && byOthers) return isSame(own, others) ? judgeAgreed(sides, path) : judgeBoth(sides, path);
  if (isNameOfTwo(sides, path)) return fine;
  if (byOwn) {
    const isLost = (isSame(now, base) || isGone(now, own)) && !isMoved(sides, path);
    return isLost ? { kind: 'lost', path } : fine;
  }
  const isUndone = ((byOthers && isSame(now, base)) || isGone(now, others)) && !isMovedOn(sides, path);
  return isUndone ? { kind: 'undone', path } : fine;
}

/** Judges a path that both sides changed in the same way. */
function judgeAgreed(sides: Sides, path: string): Verdict {
  const { base, own, now } = at(sides, path);
  const isUndone = (isSame(now, base) || isGone(now, own)) && !isMoved(sides, path);
  return { kind: isUndone ? 'undone' : 'fine', path };
}

/** Judges a path that each side changed differently. If one side has renamed it, both are compared at the path where it is now. */
function judgeBoth(sides: Sides, path: string): Verdict {
  const ownPath = sides.own.renames.get(path) ?? path;
  const otherPath = sides.others.renames.get(path) ?? path;
  const { base } = at(sides, path);
  const { own } = at(sides, ownPath);
  const { others } = at(sides, otherPath);
  const shown = [ownPath, otherPath].find((name) => at(sides, name).now !== null) ?? ownPath;
  const { now } = at(sides, shown);
  const chosen = { kind: 'chosen', path: shown } as const;
  if (isGone(now, own) && isGone(now, others))
    return isMoved(sides, shown) ? { kind: 'fine', path } : { kind: 'lost', path: shown };
  if (own === null || others === null) return chosen;
  if (isSame(now, base)) return { kind: 'lost', path: shown };
  if (own.blob === base?.blob || others.blob === base?.blob || own.blob === others.blob) return { kind: 'fine', path };
  const side = now?.blob === own.blob ? 'own' : now?.blob === others.blob ? 'others' : null;
  if (side === null) return { kind: 'fine', path };
  if (!isFile(own) || !isFile(others) || (base !== null && !isFile(base))) return chosen;
  return { kind: 'whole', whole: { path: shown, side, base, own, others } };
}

function at({ own, others, made }: Sides, path: string): Path {
  const [byOwn, byOthers, byNow] = [own.paths.get(path), others.paths.get(path), made.paths.get(path)];
  const base = (byOwn ?? byOthers ?? byNow)?.before ?? null;
  const theirs = byOthers === undefined ? base : byOthers.after;
  return {
    base,
    own: byOwn === undefined ? base : byOwn.after,
    others: theirs,
    now: byNow === undefined ? theirs : byNow.after,
  };
}

/** Tells whether nothing is left of the previous entry. */
function isGone(now: Entry | null, was: Entry | null): boolean {
  if (was === null || EMPTY_BLOBS.has(was.blob)) return false;
  return now === null || EMPTY_BLOBS.has(now.blob);
}

/** The file of the worker's own lies under another name now, which the resolution gave it. */
function isMoved({ moved, made }: Sides, path: string): boolean {
  const target = moved.get(path);
  return target !== undefined && made.paths.has(target);
}

/** Tells whether the resolution has renamed a file of others. A file that the worker has added itself is not one of them. */
function isMovedOn({ made, own }: Sides, path: string): boolean {
  const target = made.renames.get(path);
  return target !== undefined && !own.paths.has(target);
}

/** Tells whether the path is one of two names that both sides gave to one file: one of the names had to go. */
function isNameOfTwo(sides: Sides, path: string): boolean {
  for (const [from, ownName] of sides.own.renames) {
    const otherName = sides.others.renames.get(from);
    if (otherName === undefined || otherName === ownName || (path !== ownName && path !== otherName)) continue;
    return at(sides, ownName).now !== null || at(sides, otherName).now !== null;
  }
  return false;
}
