/** Writes the prompt for a worker whose rebase stops on conflicts. Pure. */
import type { ConflictRegion } from './conflict-regions.ts';
import type { ConflictFile, ConflictType, Conflicts } from './conflicts.ts';
import { quote } from '../names.ts';
import { isLockFile } from '../worktrees/lock-files.ts';

/** Characters of regions shown of one file, so that one bad file leaves room for the others. */
const REGION_CHARS_PER_FILE = 6_000;
/** Characters of regions shown in all: some 600 lines, and a prompt far below what a pane takes at once. */
export const REGION_CHARS_IN_ALL = 24_000;
/** Files named in the list; a rebase with more needs a person anyway. */
export const FILES_LISTED_MAX = 60;

/** Inputs of the prompt. */
interface ConflictPromptInput {
  readonly defaultBranch: string;
  readonly branch: string;
  readonly conflicts: Conflicts;
  /** The project's validation commands, to be run before the work is called ready. */
  readonly validate: readonly string[];
}

/** The prompt in three layers: why, which files, the regions; then the exact steps. */
export function conflictPrompt(input: ConflictPromptInput): string {
  return [why(input), files(input.conflicts.files), regions(input), steps(input)]
    .filter((part) => part !== '')
    .join('\n\n');
}

function why({ defaultBranch, branch, conflicts }: ConflictPromptInput): string {
  const { progress, subject, files: list } = conflicts;
  const where = progress.of > 1 ? `commit ${progress.step} of ${progress.of}, ` : '';
  const count = list.length === 1 ? '1 file has conflicts' : `${list.length} files have conflicts`;
  return [
    `Why: the default branch ${quote(defaultBranch)} has moved on, and your work on ${quote(branch)} does not apply to it as it is.`,
    `What: a rebase onto it stopped at ${where}${quote(subject)}: ${count}.`,
    'Goal: every conflict resolved so that BOTH changes keep their purpose, and the rebase finished.',
  ].join('\n');
}

function files(list: readonly ConflictFile[]): string {
  const lines = list.slice(0, FILES_LISTED_MAX).map((file) => `- ${quote(file.path)}: ${describe(file)}`);
  const more = list.length - FILES_LISTED_MAX;
  if (more > 0) lines.push(`- and ${more} more: see "git status"`);
  return [`Conflicted files (${list.length}):`, ...lines].join('\n');
}

function describe(file: ConflictFile): string {
  if (isRebuilt(file))
    return `${file.type.kind}: a lock file, which is rebuilt and not merged; take the default branch's with "git checkout --ours", run the package manager's install in its directory, then "git add"`;
  const count = file.regionCount === 1 ? '1 region' : `${file.regionCount} regions`;
  return file.regionCount > 0 ? `${file.type.kind}, ${count}` : `${file.type.kind}: ${advice(file.type)}`;
}

/** Markers in a lock file tell an agent nothing, and a merge by hand is wrong as often as not. */
function isRebuilt({ path, type }: ConflictFile): boolean {
  return isLockFile(path) && (type.kind === 'content' || type.kind === 'add-add');
}

function advice(type: ConflictType): string {
  switch (type.kind) {
    case 'modify-delete':
      return type.deletedBy === 'worker'
        ? 'you deleted it, the default branch changed it; decide with "git add" or "git rm"'
        : 'the default branch deleted it, you changed it; decide with "git add" or "git rm"';
    case 'binary':
      return 'no text to merge; choose one with "git checkout --ours" (default branch) or "--theirs" (yours)';
    case 'submodule':
      return 'both sides moved the submodule; choose its commit, then "git add"';
    case 'mode':
      return 'the sides differ in file type or mode; choose one, then "git add"';
    case 'rename-rename':
      return 'both sides renamed it differently; keep one name, "git rm" the others';
    case 'file-directory':
      return 'a file and a directory or rename meet here; move one, then "git add" or "git rm"';
    case 'content':
    case 'add-add':
      return 'no markers left; check it, then "git add"';
    default:
      return type satisfies never;
  }
}

function regions({ defaultBranch, conflicts }: ConflictPromptInput): string {
  const parts: string[] = [];
  let left = REGION_CHARS_IN_ALL;
  let omitted = 0;
  for (const file of conflicts.files) {
    if (isRebuilt(file)) continue;
    const limit = Math.min(left, REGION_CHARS_PER_FILE);
    const shown = fitting(
      file.regions.map((region) => show(file.path, region, defaultBranch)),
      limit,
    );
    parts.push(...shown);
    left -= shown.join('').length;
    omitted += file.regionCount - shown.length;
  }
  if (omitted > 0) parts.push(`(${omitted} regions are not shown here; find them by their markers in the files.)`);
  return parts.join('\n\n');
}

function fitting(texts: readonly string[], limit: number): string[] {
  let used = 0;
  return texts.filter((text) => {
    used += text.length;
    return used <= limit;
  });
}

function show(path: string, region: ConflictRegion, defaultBranch: string): string {
  const ancestor = region.ancestor ? [`||||||| before both changes`, ...region.ancestor] : [];
  return [
    `${quote(path)}, line ${region.line}:`,
    ...region.before,
    `<<<<<<< default branch ${quote(defaultBranch)} (git calls it "ours")`,
    ...region.defaultSide,
    ...ancestor,
    '=======',
    ...region.workerSide,
    `>>>>>>> your commit (git calls it "theirs")`,
    ...region.after,
  ].join('\n');
}

/** Git judges these, one by one (resolution.ts); the agent's words count for nothing. */
function steps({ validate }: ConflictPromptInput): string {
  const lines = [
    'Closed markers: edit each file so that it is right and no line with "<<<<<<<", "|||||||", "=======" or ">>>>>>>" is left. The default branch\'s version is "git show HEAD:FILE", yours is "git show REBASE_HEAD:FILE".',
    'Staged: run "git add" (or "git rm") on each, until "git status" names no unmerged path.',
    'Continued: run "GIT_EDITOR=true git rebase --continue", until "git status" says that no rebase is in progress.',
    ...(validate.length > 0
      ? [`Run the project's checks and mend what fails: ${validate.map(quote).join(', ')}.`]
      : []),
    'Do not use "git rebase --skip" or "git reset", do not push, do not start over on another branch.',
    'If you cannot decide, leave the rebase as it is and say what you need to know.',
  ];
  const after =
    'Then git is asked: no marker is left, nothing is unmerged, the rebase is over, and the changes of both sides are there.';
  return ['Steps:', ...lines.map((line, index) => `${index + 1}. ${line}`), after].join('\n');
}
