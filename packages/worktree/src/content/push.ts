/** Sends content to the Git LFS server of an address, with the program git-lfs as the owner of this machine has set it up. */
import { DEADLINES_MS, git } from '../git/git.ts';
import { errorFromGit } from '../git/git-error.ts';
import { readFileAt } from '../git/revisions.ts';
import { safeRemoteUrl, outside } from '../project/remote.ts';
import { hasLfs } from '../project/lfs.ts';
import { type Depot, inDepot } from '../depot/place.ts';
import type { Content } from './needed.ts';
import type { Lacking } from './origin.ts';

/** Content to send. The depot's own store has it. */
interface Sending {
  readonly url: string;
  /** Commit that is published. */
  readonly commit: string;
  readonly needed: readonly Content[];
}

/** Files that one call of git-lfs sends: their names are its arguments. */
const SENT_AT_ONCE = 500;

/** @returns why it cannot be sent, with what to do. @throws {GitError} when git-lfs fails. */
export async function pushContent(depot: Depot, { url, commit, needed }: Sending): Promise<Lacking | undefined> {
  const address = safeRemoteUrl(url);
  if (!(await hasLfs(depot.git, depot.at))) return { kind: 'lacking', why: notInstalled(address, needed) };
  const server = await serverOf(depot, address);
  if (server === undefined && (await namesServer(depot, commit)))
    return { kind: 'lacking', why: namedByRepository(address) };
  for (let from = 0; from < needed.length; from += SENT_AT_ONCE) {
    const names = needed.slice(from, from + SENT_AT_ONCE).map(({ sha256 }) => sha256);
    await sendNamed(depot, { address, server, names });
  }
  return undefined;
}

/** The depot has no commit checked out, so git-lfs reads no `.lfsconfig`: where it sends is the address, or what the owner has set. */
async function sendNamed(
  depot: Depot,
  {
    address,
    server,
    names,
  }: { readonly address: string; readonly server: string | undefined; readonly names: readonly string[] },
): Promise<void> {
  const { config = [], ...call } = outside('send what Git LFS keeps');
  const there = server ?? address;
  // Names the remote here and in the settings: git-lfs's own program for a directory goes by this name, the others by the setting.
  const answer = await git(depot.git, ['lfs', 'push', '--object-id', there, ...names], {
    ...call,
    at: depot.at,
    timeoutMs: DEADLINES_MS.clone,
    allow: [1, 2, 128],
    config: [...config, ...(server === undefined ? [] : [`lfs.url=${server}`]), ...storageFor(depot, there)],
  });
  if (answer.status !== 0) throw errorFromGit(`${call.action} to "${there}"`, answer.stderr || answer.stdout);
}

/** Tells git-lfs where to find what it sends: by itself in the depot, whatever the owner has set for other repositories. */
function storageFor({ at }: Depot, address: string): readonly string[] {
  // Leaves the setting out for a directory: git-lfs's own program takes it for that of the other side too, and sends
  // nothing.
  return address.startsWith('file:') ? [] : [`lfs.storage=${at}/lfs`];
}

/** The server that the owner of the machine has set for this address, or for all. */
async function serverOf(depot: Depot, address: string): Promise<string | undefined> {
  for (const name of [`remote.${address}.lfsurl`, 'lfs.pushurl', 'lfs.url']) {
    const args = ['config', '--get', name];
    const call = { ...inDepot(depot, 'read the settings of Git LFS'), env: {}, allow: [1] };
    const value = (await git(depot.git, args, call)).stdout.trimEnd();
    if (value !== '') return value;
  }
  return undefined;
}

/** Bytes of a `.lfsconfig` that are read. */
const CONFIG_BYTES_MAX = 64 * 1024;

/**
 * Tells whether the repository names a server, by a file that an agent can write. Drover follows only the owner of the
 * machine, and content that went to the address would not be where the people of the project look for it.
 */
async function namesServer(depot: Depot, commit: string): Promise<boolean> {
  const file = { at: depot.at, commit, path: '.lfsconfig', maxBytes: CONFIG_BYTES_MAX };
  return /url\s*=/iu.test((await readFileAt(depot.git, file)) ?? '');
}

function namedByRepository(address: string): string {
  return (
    'the repository names a server for Git LFS in ".lfsconfig", and Drover sends content only where the owner of the machine says: ' +
    `run there, as the user of the machine agent, git config --global "remote.${address}.lfsurl" ADDRESS-OF-THE-SERVER, then accept again`
  );
}

function notInstalled(address: string, needed: readonly Content[]): string {
  const what = needed.length === 1 ? 'a file' : `${needed.length} files`;
  return (
    `git-lfs is not installed on the machine that did the work, so the content of ${what} that Git LFS keeps would not reach "${address}": ` +
    'install git-lfs there, then accept again'
  );
}
