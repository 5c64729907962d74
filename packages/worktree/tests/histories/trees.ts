/** Trees as git lists them, to judge merges by other means than merging. */
import type { Yard } from '../support.ts';

/** Mode, kind and id of each file, by its path. */
type Tree = ReadonlyMap<string, string>;

/** Reads all files of a commit. */
export async function treeOf(yard: Yard, at: string, commit: string): Promise<Tree> {
  const records = (await yard.sh(at, 'ls-tree', '-r', '-z', '--full-tree', commit)).split('\0');
  const entries = records.filter((one) => one !== '').map((one) => one.split('\t', 2));
  return new Map(entries.map(([entry = '', path = '']) => [path, entry]));
}

/** Files that were there before and are on both sides, and that one side alone has changed: with what that side has. */
export function sidesOf({ before, own, theirs }: { before: Tree; own: Tree; theirs: Tree }): Map<string, string> {
  const wanted = new Map<string, string>();
  for (const [path, old] of before) {
    const [mine, others] = [own.get(path), theirs.get(path)];
    if (mine === undefined || others === undefined) continue;
    if (mine === old) wanted.set(path, others);
    else if (others === old) wanted.set(path, mine);
  }
  return wanted;
}
