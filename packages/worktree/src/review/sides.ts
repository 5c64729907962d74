/** Reads both sides of the files that work changes, for a program that shows them where the repository is not. */
import { type Git, git, type GitCall } from '../git/git.ts';
import type { Change, OpenChange } from './review.ts';

/** Changed file. */
export interface FileSides {
  readonly path: string;
  /** Previous name. */
  readonly from: string;
  /** Texts of both sides, empty where the file is not there; null: left out, because it is no text or too much. */
  readonly content: readonly [before: string, after: string] | null;
}

/** Files at most whose sides are read: each takes git twice. */
const FILES_MAX = 100;
/** Mode of a submodule: a side that names one is shown as in git's own diff. */
const SUBMODULE = '160000';

/** The sides as texts, together at most `maxBytes` as JSON has them; files beyond are named. @throws {GitError} */
export async function sides(
  shown: OpenChange,
  { maxBytes }: { readonly maxBytes: number },
): Promise<readonly FileSides[]> {
  const told: FileSides[] = [];
  let left = maxBytes;
  for (const [index, change] of shown.changes.entries()) {
    const isText = index < FILES_MAX && change.bytes === undefined;
    const content = isText ? await contentOf(shown.git, shown.call('read a file'), { change, maxBytes: left }) : null;
    if (content !== null) left -= jsonBytes(content);
    told.push({ path: change.path, from: change.from ?? change.path, content });
  }
  return told;
}

async function contentOf(
  context: Git,
  call: GitCall,
  { change: { ids, modes }, maxBytes }: { readonly change: Change; readonly maxBytes: number },
): Promise<FileSides['content']> {
  const read = async (at: 0 | 1): Promise<string | null> => {
    const id = ids[at];
    if (id === null) return '';
    if (modes[at] === SUBMODULE) return `Subproject commit ${id}\n`;
    if (maxBytes <= 0) return null;
    const limits = { maxOutputBytes: maxBytes, mayCut: true };
    const { stdout, cut } = await git(context, ['cat-file', 'blob', id], { ...call, ...limits });
    // Refuses text that is no UTF-8: it would be shown as something that it is not.
    return cut || stdout.includes('\ufffd') ? null : stdout;
  };
  const before = await read(0);
  const after = before === null ? null : await read(1);
  if (before === null || after === null) return null;
  return jsonBytes([before, after]) > maxBytes ? null : [before, after];
}

function jsonBytes(content: readonly string[]): number {
  return Buffer.byteLength(JSON.stringify(content));
}
