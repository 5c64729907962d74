/**
 * Brings the content that Git LFS keeps to where main is, before main moves: commits have only pointers to it, and the content lies in the
 * archive of the machine where an agent worked.
 */
import type { Git } from '../git/git.ts';
import type { Depot, Target } from '../depot/place.ts';
import { type Content, neededContent } from './needed.ts';
import type { ContentOrigin, Lacking } from './origin.ts';
import { pushContent } from './push.ts';
import type { GitFiles } from '../git/on-host.ts';
import { copyContent, findContent, holdsContent, keepContent, storeOfRepository } from './store.ts';

/** Commits of the depot to publish. */
interface Going {
  readonly base: string;
  readonly commit: string;
  /** Absent: the target has the content, or the commits are refused. */
  readonly content?: ContentOrigin;
}

/** @returns what is wrong, in words that say what to do: the commits must not be published then. @throws {GitError} */
export async function bringContent(context: Git, depot: Depot, going: Going): Promise<Lacking | undefined> {
  const needed = await neededContent(depot, going);
  if (needed.length === 0) return undefined;
  const { target } = depot.place;
  switch (target.kind) {
    case 'source':
      return bringToSource(context, target, { needed, origin: going.content });
    case 'remote':
      return bringToRemote(context, depot, { target, going, needed });
    case 'home':
      return bringToHome(context, target, { needed, origin: going.content });
    default:
      return target satisfies never;
  }
}

/** Checks whether the archive has what the commits need, before their turn for {@link bringContent}. Brings nothing. @throws {GitError} */
export async function lacksContent(
  depot: Depot,
  { archive, ...range }: { readonly archive: string; readonly base: string; readonly commit: string },
): Promise<Lacking | undefined> {
  const missing: Content[] = [];
  for (const content of await neededContent(depot, range))
    if ((await findContent(depot.git.files, archive, content)).length === 0) missing.push(content);
  return missing.length === 0 ? undefined : lacking(missing);
}

type Of<K extends Target['kind']> = Extract<Target, { kind: K }>;

interface Wanted {
  readonly needed: readonly Content[];
  readonly origin: ContentOrigin | undefined;
}

async function bringToSource(
  context: Git,
  { source }: Of<'source'>,
  { needed, origin }: Wanted,
): Promise<Lacking | undefined> {
  const { files } = context;
  const store = await storeOfRepository(context, source);
  const missing: Content[] = [];
  for (const content of needed) {
    const isThere =
      origin === undefined
        ? await holdsContent(files, store, content)
        : await keepFromArchive(files, { origin, store, content });
    if (!isThere) missing.push(content);
  }
  return missing.length === 0 ? undefined : lacking(missing);
}

/** Brings content from a copy that no agent can change: the checked bytes are the sent bytes. */
async function bringToRemote(
  context: Git,
  depot: Depot,
  {
    target,
    going,
    needed,
  }: { readonly target: Of<'remote'>; readonly going: Going; readonly needed: readonly Content[] },
): Promise<Lacking | undefined> {
  const { content: origin } = going;
  if (origin === undefined) return lacking(needed);
  const { files } = context;
  const store = `${depot.at}/lfs`;
  await files.rm(store);
  try {
    const missing: Content[] = [];
    for (const content of needed) {
      if (!(await keepFromArchive(files, { origin, store, content }))) missing.push(content);
    }
    if (missing.length > 0) return lacking(missing);
    return await pushContent(depot, { url: target.url, commit: going.commit, needed });
  } finally {
    await files.rm(store);
  }
}

async function bringToHome(
  context: Git,
  { home }: Of<'home'>,
  { needed, origin }: Wanted,
): Promise<Lacking | undefined> {
  if (origin === undefined) return lacking(needed);
  const { files } = context;
  for (const content of needed) {
    const { sha256, bytes } = content;
    const path = `${home.spool}/${home.id}.content`;
    try {
      const found = await findContent(files, origin.archive, content);
      const isCopied = await anyOf(found, (from) => copyContent(files, { from, to: path, content }, origin.sha256Of));
      if (!isCopied) return lacking([content]);
      if (bytes > home.maxBytes) return { kind: 'lacking', why: tooLarge(content, home.maxBytes) };
      await home.keep({ path, sha256, bytes });
    } finally {
      await files.rm(path);
    }
  }
  return undefined;
}

/** Puts content of the archive into a store. @returns whether the store has it now. */
async function keepFromArchive(
  files: GitFiles,
  { origin, store, content }: { readonly origin: ContentOrigin; readonly store: string; readonly content: Content },
): Promise<boolean> {
  if (await holdsContent(files, store, content)) return true;
  const found = await findContent(files, origin.archive, content);
  return anyOf(found, (from) => keepContent(files, { from, store, content }, origin.sha256Of));
}

/** Tries each until one does: what an agent left in its store may be something else. */
async function anyOf(paths: readonly string[], act: (path: string) => Promise<boolean>): Promise<boolean> {
  for (const path of paths) if (await act(path)) return true;
  return false;
}

/** Paths that a sentence names. */
const NAMED_MAX = 3;

function lacking(missing: readonly Content[]): Lacking {
  const named = missing.slice(0, NAMED_MAX).map(({ path }) => JSON.stringify(path));
  const more = missing.length > named.length ? `, and ${missing.length - named.length} more` : '';
  const what = `the content of Git LFS files is not on the machine that did the work (${named.join(', ')}${more})`;
  const help =
    'run "git lfs pull" in the worktree of the worker if a server has it, or let its agent add the files again, then accept again';
  return { kind: 'lacking', why: `${what}: ${help}` };
}

function tooLarge({ path, bytes }: Content, max: number): string {
  return (
    `the content of ${JSON.stringify(path)}, which Git LFS keeps, has ${bytes} bytes, and the coordinator carries at most ${max} from ` +
    'machine to machine: raise coordinator.parcel_max_mib, then accept again'
  );
}
