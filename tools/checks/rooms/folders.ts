/** Finds folders with so many files that they need rooms of their own. */
import path from 'node:path';

/** Files that a folder may hold without a reason: about as many as a reader takes in at a glance. */
export const FILES_MAX = 20;

/** Folders of recorded data: no reader looks for code there. */
const RECORDED = /(?:^|\/)fixtures(?:\/|$)/u;

/**
 * Says, one line each, which folders hold more than {@link FILES_MAX} files without a reason.
 * A reason is a line in the folder's own README.md, `More than twenty files: REASON`.
 *
 * @param files Paths from the repository's root, with `/`.
 * @param readme The text of a folder's README.md; null where there is none.
 */
export function folderProblems(
  files: readonly string[],
  readme: (directory: string) => string | null,
): readonly string[] {
  const folders = Map.groupBy(files, (file) => path.posix.dirname(file));
  return [...folders]
    .filter(([directory, { length }]) => length > FILES_MAX && !RECORDED.test(directory))
    .filter(([directory]) => !/^More than twenty files: \S/mu.test(readme(directory) ?? ''))
    .map(
      ([directory, { length }]) =>
        `${directory}: holds ${length} files, at most ${FILES_MAX} fit one folder: make folders by subject, or give the reason in its README.md`,
    );
}
