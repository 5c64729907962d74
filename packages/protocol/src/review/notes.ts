/** Defines what a reviewer should know of work beside its diff: found by the machine in git's objects, shown at the head of a review. */
import { z } from 'zod';
import { commitName, epochMs, line, LIST_MAX, text } from '../names.ts';

const count = z.number().int().nonnegative();
const bytes = z.number().int().nonnegative();
/** A mode of git, such as `100755`. */
const mode = z.string().max(6);
/** Pair of a value before the work and one after it; null: there is none. */
const pair = <T extends z.ZodType>(of: T) => z.tuple([of.nullable(), of.nullable()]);

/** Note on the file `path` as it is called after the work. */
const note = z.discriminatedUnion('kind', [
  /** Lines that the work adds, or its name, hold characters that do not show; `bidirectional` of them turn the direction of text. */
  z.object({ kind: z.literal('hidden-characters'), path: line, characters: count, bidirectional: count }),
  /** Change of a file's mode, or a new executable: then `before` is null. */
  z.object({ kind: z.literal('mode'), path: line, before: mode.nullable(), after: mode }),
  /** Symbolic link, new or changed. `outside`: of the repository; `nowhere`: its target does not exist, or is the link itself. */
  z.object({
    kind: z.literal('symbolic-link'),
    path: line,
    target: line,
    leads: z.enum(['inside', 'outside', 'nowhere']),
  }),
  /** Another commit of another repository, or the address of that one. */
  z.object({ kind: z.literal('submodule'), path: line, commits: pair(line), urls: pair(line) }),
  /** Pointer in place of a file of this size, which the diff does not show. */
  z.object({
    kind: z.literal('lfs-pointer'),
    path: line,
    bytes,
    /** Tells whether the file itself is on the machine that did the work. Absent: it was not looked for. */
    isHere: z.boolean().optional(),
  }),
  z.object({ kind: z.literal('binary'), path: line, before: bytes, after: bytes }),
  /** Number of further notes of a kind that are not listed. */
  z.object({ kind: z.literal('more'), of: line, count }),
  /** The change is larger: only its first bytes were searched for hidden characters and pointers. */
  z.object({ kind: z.literal('searched-first'), bytes }),
]);
/** A checked note. */
export type ReviewNote = z.infer<typeof note>;

/** Notes in an answer at most: of each kind a machine lists far fewer. */
const NOTES_MAX = 2_000;

/** Notes of a review. A note that a newer machine makes and this build cannot read is null: it counts, and hides no other. */
export const reviewNotes = z.array(note.nullable().catch(null)).max(NOTES_MAX);

/** Age of the work, and where it began. Times are epoch milliseconds, as the commits say. */
export const standing = z.object({
  /** Time at which the commit under review was made. */
  workedAt: epochMs,
  /** The commit of the default branch that the work is compared with, and when it was made. */
  base: line,
  basedAt: epochMs,
  /** Commits that the default branch has beyond it, as far as the machine knows. */
  behind: count,
  /** The branch that the source's default branch follows, and the commits that it lacks of that; null where it lacks none. */
  upstream: z.object({ name: line, behind: count, follows: z.boolean() }).nullable(),
});
/** Point at which the work left the default branch, and how old both are. */
export type Standing = z.infer<typeof standing>;

/** Changed files as both sides have them: empty where there is no file, null where the machine does not tell it. */
export const reviewSides = z
  .array(z.object({ path: line, from: line, content: z.tuple([text, text]).readonly().nullable() }))
  .max(LIST_MAX);
export type ReviewSides = z.infer<typeof reviewSides>;

/**
 * The change that a merge of the work into the newest default branch makes. `began`: the commit on which the work began. Without `head`: of the
 * commit that is there now. `main`: against this commit instead of the newest. `sides`: also both sides of each file.
 */
export const readDiff = z.object({
  kind: z.literal('read-diff'),
  began: commitName,
  main: commitName.optional(),
  stat: z.boolean(),
  head: commitName.optional(),
  sides: z.boolean().optional(),
  /** True: the depot keeps `head` for a run, and no worker's clone is looked into. */
  isPinned: z.boolean().optional(),
});
