/** Addresses of submodules, as a `.gitmodules` names them. */
import { type Git, type GitCall, git } from '../git/git.ts';

/** Bytes of a `.gitmodules` that are read. */
const SETTINGS_BYTES_MAX = 1024 * 1024;

/** Settings of a submodule in a `.gitmodules`. */
export interface SubmoduleSettings {
  readonly name: string;
  readonly path: string;
  readonly url: string;
  /** `none`: it is left empty, as git does. Whatever else it says is not followed. */
  readonly update: string | undefined;
}

/** The paths of submodules with their addresses, as one version of the file names them; a path can come twice. @throws {GitError} */
export async function addressesIn(
  context: Git,
  call: GitCall,
  blob: string,
): Promise<readonly (readonly [path: string, url: string])[]> {
  return (await submodulesIn(context, call, blob)).map(({ path, url }) => [path, url] as const);
}

/** Reads all submodules in one version of the file. Git would include files of the machine that the settings name. @throws {GitError} */
export async function submodulesIn(context: Git, call: GitCall, blob: string): Promise<readonly SubmoduleSettings[]> {
  const args = [
    'config',
    '--no-includes',
    '-z',
    `--blob=${blob}`,
    '--get-regexp',
    String.raw`^submodule\..*\.(path|url|update)$`,
  ];
  const limits = { allow: [1, 128, 255], maxOutputBytes: SETTINGS_BYTES_MAX, mayCut: true };
  const { stdout } = await git(context, args, { ...call, ...limits });
  const found = new Map<string, { path?: string; url?: string; update?: string }>();
  for (const entry of stdout.split('\0')) {
    const [, name, field] = /^submodule\.([^]*)\.(path|url|update)\n/.exec(entry) ?? [];
    if (name === undefined || (field !== 'path' && field !== 'url' && field !== 'update')) continue;
    const value = entry.slice(entry.indexOf('\n', entry.indexOf(`.${field}\n`)) + 1);
    found.set(name, { ...found.get(name), [field]: value });
  }
  return [...found].flatMap(([name, { path, url, update }]) => (path && url ? [{ name, path, url, update }] : []));
}
