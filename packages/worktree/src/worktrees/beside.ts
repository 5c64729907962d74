/** Names beside the places of workers. They begin with a dot, as no worker's does. */

const UNFINISHED = '.unfinished';
const ASIDE = /^\..+\.removed-(\d+)$/u;

/** Where a clone is made before it is a place, and where a place goes that is being removed. */
export function unfinishedOf(path: string): string {
  return `${hidden(path)}${UNFINISHED}`;
}

/** Where a place is kept whole that git could not read. `now` is epoch milliseconds. */
export function asideOf(path: string, now: number): string {
  return `${hidden(path)}.removed-${now}`;
}

/** When a directory of this name was put aside; undefined: it is another one. */
export function asideSince(name: string): number | undefined {
  const [, since] = ASIDE.exec(name) ?? [];
  return since === undefined ? undefined : Number(since);
}

/** Whether a directory of this name is Drover's, and no place of a worker. */
export function isBeside(name: string): boolean {
  return (name.startsWith('.') && name.endsWith(UNFINISHED)) || ASIDE.test(name);
}

function hidden(path: string): string {
  const at = path.lastIndexOf('/') + 1;
  return `${path.slice(0, at)}.${path.slice(at)}`;
}
