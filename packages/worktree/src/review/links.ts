/** Resolves a symbolic link of a commit, as git does within the commit's own tree. */
import type { ReviewNote } from '@drover/protocol';
import { git } from '../git/git.ts';
import type { Change, OpenChange } from './review.ts';

/** Characters of a target that are shown: the longest path of an operating system. */
const TARGET_MAX = 4_096;

/** The note on one link. @throws {GitError} */
export async function linkNote(shown: OpenChange, { path, ids: [, id] }: Change): Promise<ReviewNote | null> {
  if (id === null) return null;
  const limits = { maxOutputBytes: TARGET_MAX, mayCut: true };
  const args = ['cat-file', 'blob', id];
  const { stdout: target } = await git(shown.git, args, { ...shown.call('read a link'), ...limits });
  return { kind: 'symbolic-link', path, target, leads: await whereTo(shown, path, target) };
}

type Leads = Extract<ReviewNote, { kind: 'symbolic-link' }>['leads'];

/** Asks git, which follows links over links, also through directories that are links. Git is asked line by line: some names cannot be asked for. */
async function whereTo({ git: context, call, head }: OpenChange, path: string, target: string): Promise<Leads> {
  if (path.includes('\n') || path.includes('\ufffd')) return plainlyLeads(path, target);
  const args = ['cat-file', '--batch-check', '--follow-symlinks'];
  const asked = { ...call('follow a link'), input: `${head}:${path}\n`, mayCut: true };
  const { stdout } = await git(context, args, asked);
  const [answer = ''] = stdout.split(' ');
  if (answer === 'symlink') return 'outside';
  return /^(?:dangling|loop|notdir)$/.test(answer) || stdout.includes(' missing') ? 'nowhere' : 'inside';
}

/** Resolves a link by its own words alone. */
export function plainlyLeads(path: string, target: string): Leads {
  if (target.startsWith('/')) return 'outside';
  let depth = path.split('/').length - 1;
  for (const part of target.split('/')) {
    if (part === '..') depth -= 1;
    else if (part !== '' && part !== '.') depth += 1;
    if (depth < 0) return 'outside';
  }
  return 'inside';
}
