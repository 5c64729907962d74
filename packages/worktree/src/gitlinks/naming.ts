/** The surroundings of addresses in a project: where its repository is, and directories that are no place to fetch from. */
import { type Git, git } from '../git/git.ts';
import { reading } from '../git/revisions.ts';
import type { DepotPlace } from '../depot/place.ts';
import type { Naming } from './address.ts';

/** Reads both for a project of which a worker has its place at `clone`: what lies beside that goes with its worker. @throws {GitError} */
export async function namingOf(context: Git, { directory, target }: DepotPlace, clone: string): Promise<Naming> {
  const own: string[] = [];
  for (const path of [directory, clone.replace(PLACE, '')]) own.push((await context.files.realpath(path)) ?? path);
  switch (target.kind) {
    case 'remote':
      return { origin: target.url, own };
    case 'source':
      return { origin: await originOf(context, target.source), own };
    case 'home':
      return { origin: undefined, own };
    default:
      return target satisfies never;
  }
}

/** The end of a worker's place, below the project's root. */
const PLACE = /\/\.worktrees\/[^/]+$/u;

/** Finds the origin as git in that directory takes relative addresses: after the address of its remote, or its own place. */
async function originOf(context: Git, source: string): Promise<string> {
  const call = { ...reading(source, 'find where the source was cloned from'), allow: [1] };
  const { stdout } = await git(context, ['config', '--get', 'remote.origin.url'], call);
  const url = stdout.trim();
  return url === '' || url.startsWith('.') ? source : url;
}
