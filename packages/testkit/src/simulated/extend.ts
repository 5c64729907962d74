/** Builds the work of other workers on a candidate of the simulated machine, with the outcomes of the real one. */
import type { Command, CommandResult, TrainLink } from '@drover/core';
import type { Parts } from './git-parts.ts';
import { droppedFrom } from './rewrites.ts';

/** Builds each item on the item before. */
export function extend(parts: Parts, { onto, items }: Extract<Command, { kind: 'extend' }>): CommandResult {
  const { git, luck } = parts;
  const links: TrainLink[] = [];
  const left: { worker: string; why: 'clash' | 'contained' | 'changed' | 'away'; detail: string }[] = [];
  for (const item of items) {
    const { worker, at } = item;
    const base = links.at(-1)?.commit ?? onto;
    const known = new Set(git.worksAt(base));
    const works = git.worksAt(at.head).filter((work) => !known.has(work));
    const found = ownerOf(parts, item);
    const dropped = droppedFrom(git, { head: at.head, known: [at.against], base });
    if ('why' in found) left.push({ worker, ...found });
    else if (dropped !== null) left.push({ worker, why: 'changed', detail: `${dropped} is no longer in it` });
    else if (git.namesLost(works)) left.push({ worker, why: 'changed', detail: 'it names what nobody can fetch' });
    else if (works.length === 0) left.push({ worker, why: 'contained', detail: '' });
    else if (luck.random.chance(luck.conflict)) left.push({ worker, why: 'clash', detail: 'a.txt' });
    else {
      const commit = git.commitOnce(base, works);
      git.owners.set(commit, found.id);
      links.push({ worker, head: at.head, base, commit, tree: git.treeOf(commit) });
    }
  }
  return { kind: 'extended', onto, links, left };
}

/** Id of the worker whose work an item is, or the reason why the item cannot come along. */
function ownerOf(
  { git, workerNamed, guests }: Parts,
  { worker, at, elsewhere = false }: Extract<Command, { kind: 'extend' }>['items'][number],
): { readonly id: string } | { readonly why: 'changed' | 'away'; readonly detail: string } {
  if (elsewhere) {
    const guest = guests?.get(worker) ?? { away: 'nothing came' };
    return 'away' in guest ? { why: 'away', detail: guest.away } : { id: guest.workerId };
  }
  const id = workerNamed(worker) ?? '';
  if (git.worktrees.get(id)?.head !== at.head) return { why: 'changed', detail: 'a commit came after it' };
  return { id };
}
