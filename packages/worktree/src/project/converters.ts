/**
 * Carries what the source's own configuration says of converting, comparing and merging files to a worker's clone. Without a filter that
 * encrypts, an agent would read what is encrypted, and commit secrets as they are.
 */
import { type Git, git } from '../git/git.ts';
import { reading } from '../git/revisions.ts';
import { settingsText } from '../worktrees/settings.ts';
import { OF_REPOSITORY } from './identity.ts';
import { isRemoteUrl } from './remote.ts';

/** The sections `filter`, `diff` and `merge` with a name that somebody gave the source alone, as text; an address has none. @throws {GitError} */
export async function convertersOf(context: Git, source: string): Promise<string> {
  if (isRemoteUrl(source)) return '';
  const pattern = String.raw`^(filter|diff|merge)\..*\.`;
  // Projects that bring such settings along have people include their file.
  const args = ['config', '--null', '--show-scope', '--includes', '--get-regexp', pattern];
  const { stdout } = await git(context, args, { ...reading(source, 'read how files are converted'), allow: [1] });
  const sections = new Map<string, (readonly [string, string])[]>();
  const words = stdout.split('\0');
  for (const [index, entry] of words.entries()) {
    // SCOPE NUL SECTION.NAME.KEY LINE-BREAK VALUE NUL; a name may hold dots, and a setting without a value says yes.
    if (index % 2 === 0 || !OF_REPOSITORY.has(words[index - 1] ?? '')) continue;
    const [, section, name, key, value = 'true'] =
      /^(filter|diff|merge)\.(.+)\.([^.\n]+)(?:\n([^]*))?$/u.exec(entry) ?? [];
    if (section === undefined || name === undefined || key === undefined || /[\n"\\]/u.test(name)) continue;
    const title = `${section} "${name}"`;
    sections.set(title, [...(sections.get(title) ?? []), [key, value]]);
  }
  return settingsText([...sections]);
}
