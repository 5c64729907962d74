/**
 * Carries what the source's own configuration says of converting, comparing and merging files to a worker's clone. Without a filter that
 * encrypts, an agent would read what is encrypted, and commit secrets as they are.
 */
import { type Git, git } from '../git/git.ts';
import { reading } from '../git/revisions.ts';
import { settingsText } from '../worktrees/settings.ts';
import { isRemoteUrl } from './remote.ts';

/** The sections `filter`, `diff` and `merge` with a name that somebody gave the source alone, as text; an address has none. @throws {GitError} */
export async function convertersOf(context: Git, source: string): Promise<string> {
  if (isRemoteUrl(source)) return '';
  const pattern = String.raw`^(filter|diff|merge)\..*\.`;
  const args = ['config', '--null', '--local', '--get-regexp', pattern];
  const { stdout } = await git(context, args, { ...reading(source, 'read how files are converted'), allow: [1] });
  const sections = new Map<string, (readonly [string, string])[]>();
  for (const entry of stdout.split('\0')) {
    // SECTION.NAME.KEY LINE-BREAK VALUE; a name may hold dots, and a setting without a value says yes.
    const [, section, name, key, value = 'true'] =
      /^(filter|diff|merge)\.(.+)\.([^.\n]+)(?:\n([^]*))?$/u.exec(entry) ?? [];
    if (section === undefined || name === undefined || key === undefined || /[\n"\\]/u.test(name)) continue;
    const title = `${section} "${name}"`;
    sections.set(title, [...(sections.get(title) ?? []), [key, value]]);
  }
  return settingsText([...sections]);
}
