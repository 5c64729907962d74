/**
 * Keeps the archive: a bare repository of a project on this machine that keeps what a worker must not lose: its branch
 * as Drover last saw it, its checkpoints, its trash. Drover alone writes it. The archive borrows objects from the
 * depot and lends none, so that git may collect in it what no ref leads to. (docs/adr/0014-a-clone-for-each-worker.md)
 */
import { alone } from '../depot/alone.ts';
import { bringMain, makeBare } from '../depot/depot.ts';
import { type DepotPlace, depotOf } from '../depot/place.ts';
import { type Git, git, gitText, unconfined } from '../git/git.ts';
import { reading, refAt, writing } from '../git/revisions.ts';
import { safeDirectory, safeRevision } from '../names.ts';
import { completeHistory } from './history.ts';

/** The archive's directory. */
export function archiveOf({ directory }: Pick<DepotPlace, 'directory'>): string {
  return `${safeDirectory(directory)}/archive.git`;
}

/** The ref by which the archive and each worker's clone know the default branch, as Drover last brought it. */
export function baseRef(defaultBranch: string): string {
  return `refs/remotes/origin/${safeRevision(defaultBranch)}`;
}

/** Bytes of a list of borrowed directories. */
const ALTERNATES_BYTES_MAX = 64 * 1024;

/** Makes the archive where it is missing, with the depot from which it borrows. @returns where it lies. @throws {GitError} */
export async function ensureArchive(context: Git, place: DepotPlace): Promise<string> {
  const at = archiveOf(place);
  return alone(at, { signal: context.signal }, async () => {
    const { files } = context;
    const borrowed = `${depotOf(place)}/objects`;
    if ((await files.stat(at)) === undefined) {
      const call = reading(depotOf(place), 'read its format');
      const format = await gitText(unconfined(context), ['rev-parse', '--show-object-format'], call);
      await makeBare(unconfined(context), { directory: place.directory, at, format, borrowed });
    } else await borrowFrom(context, at, [borrowed]);
    return at;
  });
}

/**
 * Lets a repository borrow from the depot where it is now: Drover's data may have been moved, or be those of another
 * gateway. Places that it borrowed from before, and that still exist, stay: they may have objects that no other place
 * has.
 */
export async function borrowFrom({ files }: Git, repository: string, borrowed: readonly string[]): Promise<void> {
  const path = `${repository}/objects/info/alternates`;
  const text = (await files.readFile(path, { maxBytes: ALTERNATES_BYTES_MAX })) ?? '';
  const named = text.split('\n').filter((line) => line !== '');
  if (borrowed.every((line, index) => named[index] === line)) return;
  const others: string[] = [];
  for (const line of named) if (!borrowed.includes(line) && (await files.stat(line)) !== undefined) others.push(line);
  await files.mkdir(path.slice(0, path.lastIndexOf('/')));
  await files.writeFile(path, [...borrowed, ...others].map((line) => `${line}\n`).join(''));
}

/** Brings the newest default branch to the depot and tells the archive. @returns its commit. @throws {GitError} */
export async function bringBase(context: Git, place: DepotPlace): Promise<string> {
  const base = await bringMain(context, place);
  const archive = await ensureArchive(context, place);
  const { defaultBranch } = place.target;
  await noteBase(unconfined(context), archive, { gitDir: archive, depot: depotOf(place), defaultBranch, base });
  return base;
}

/** Tells a repository that borrows from the depot where the default branch is, with all of its history. @throws {GitError} */
export async function noteBase(
  context: Git,
  at: string,
  {
    depot,
    defaultBranch,
    base,
    gitDir = `${at}/.git`,
  }: { readonly depot: string; readonly defaultBranch: string; readonly base: string; readonly gitDir?: string },
): Promise<void> {
  await completeHistory(context, { gitDir, depot });
  const ref = baseRef(defaultBranch);
  if ((await refAt(context, at, { gitDir, ref })) === base) return;
  await git(context, ['update-ref', '-m', 'drover: newest', ref, base], writing(at, 'note the default branch'));
}
