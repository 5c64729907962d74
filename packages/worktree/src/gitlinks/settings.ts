/** Addresses of submodules, as a `.gitmodules` names them. */
import { type Git, type GitCall, git } from '../git/git.ts';

/** Bytes of a `.gitmodules` that are read. */
const SETTINGS_BYTES_MAX = 1024 * 1024;

/**
 * The paths of submodules with their addresses, as one version of the file names them; a path can come twice. Git would include files of the
 * machine that the settings name.
 *
 * @throws {GitError}
 */
export async function addressesIn(
  context: Git,
  call: GitCall,
  blob: string,
): Promise<readonly (readonly [path: string, url: string])[]> {
  const args = [
    'config',
    '--no-includes',
    '-z',
    `--blob=${blob}`,
    '--get-regexp',
    String.raw`^submodule\..*\.(path|url)$`,
  ];
  const limits = { allow: [1, 128, 255], maxOutputBytes: SETTINGS_BYTES_MAX, mayCut: true };
  const { stdout } = await git(context, args, { ...call, ...limits });
  const found = new Map<string, { path?: string; url?: string }>();
  for (const entry of stdout.split('\0')) {
    const [, name, field] = /^submodule\.([^]*)\.(path|url)\n/.exec(entry) ?? [];
    if (name === undefined || (field !== 'path' && field !== 'url')) continue;
    found.set(name, {
      ...found.get(name),
      [field]: entry.slice(entry.indexOf('\n', entry.indexOf(`.${field}\n`)) + 1),
    });
  }
  return [...found.values()].flatMap(({ path, url }) => (path && url ? [[path, url] as const] : []));
}
