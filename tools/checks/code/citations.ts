// Finds comments that cite a page or decision record that does not exist.
import { lineAt, type Source } from '../source/source.ts';

/** Says, one line each, which comments cite a page of `docs/` that is not among the pages (paths from the root). */
export function citationProblems({ file, text, comments }: Source, pages: readonly string[]): readonly string[] {
  return comments.flatMap((comment) =>
    [...comment.value.matchAll(/(?<![\w/.])docs\/(?:adr\/\d{4}|[a-z-]+\.md)/gu)]
      .filter(([cited]) => !pages.some((page) => page === cited || page.startsWith(`${cited}-`)))
      .map(([cited]) => `${file}:${lineAt(text, comment.start)}: cites ${cited}, which is not there`),
  );
}
