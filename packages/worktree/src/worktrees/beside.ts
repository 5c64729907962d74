/** Names the directories beside the places of workers. Their names begin with a dot, as no worker's does. */

const UNFINISHED = '.unfinished';
const ASIDE = /^\..+\.(?:removed|large)-(\d+)(?:-\w+)?$/u;

/** The directory in which a clone is made, and in which a place is removed. */
export function unfinishedOf(path: string): string {
  return `${hidden(path)}${UNFINISHED}`;
}

/** The directory that keeps a place which git could not read. `now` is epoch milliseconds. */
export function asideOf(path: string, now: number): string {
  return `${hidden(path)}.removed-${now}`;
}

/** The directory for files of a place that are too large for git. `id` names the task or removal. */
export function largeOf(path: string, { now, id }: { readonly now: number; readonly id: string }): string {
  return `${hidden(path)}.large-${now}-${tagOf(id)}`;
}

/** Tells whether a directory holds large files of the place that were moved for the same act. */
export function isLargeOf(directory: string, { path, id }: { readonly path: string; readonly id: string }): boolean {
  return directory.startsWith(`${hidden(path)}.large-`) && directory.endsWith(`-${tagOf(id)}`);
}

function tagOf(id: string): string {
  return id.replaceAll(/\W/gu, '').slice(-12);
}

/** Time when a directory of this name was put aside; undefined: it is another one. */
export function asideSince(name: string): number | undefined {
  const [, since] = ASIDE.exec(name) ?? [];
  return since === undefined ? undefined : Number(since);
}

/** Tells whether a directory of this name is Drover's, and no place of a worker. */
export function isBeside(name: string): boolean {
  return (name.startsWith('.') && name.endsWith(UNFINISHED)) || ASIDE.test(name);
}

function hidden(path: string): string {
  const at = path.lastIndexOf('/') + 1;
  return `${path.slice(0, at)}.${path.slice(at)}`;
}
