/** Finds parts whose paths overlap: they are built one after another, each on the commit of the former. */
import type { Part } from './result.ts';

/** Returns for each part the index of the part before it in its chain; null: it is the first. */
export function chainOf(parts: readonly Part[]): readonly (number | null)[] {
  const chains: number[] = [];
  const before: (number | null)[] = [];
  for (const [at, part] of parts.entries()) {
    const touched = new Set(chains.flatMap((chain, other) => (overlap(part, parts[other]) ? [chain] : [])));
    // A part that touches two chains makes one of them: it comes after every part of both.
    for (const [other, chain] of chains.entries()) if (touched.has(chain)) chains[other] = at;
    chains.push(at);
    before.push(null);
  }
  for (const at of parts.keys()) before[at] = lastBefore(chains, at);
  return before;
}

function lastBefore(chains: readonly number[], at: number): number | null {
  for (let other = at - 1; other >= 0; other -= 1) if (chains[other] === chains[at]) return other;
  return null;
}

function overlap(one: Part, other: Part | undefined): boolean {
  if (other === undefined) return false;
  // A part without paths may touch anything.
  if (one.paths.length === 0 || other.paths.length === 0) return true;
  return one.paths.some((path) => other.paths.some((its) => isSameOrInside(fixed(path), fixed(its))));
}

function isSameOrInside(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  return short === '' || short === long || long.startsWith(`${short}/`);
}

/** Returns the folders of a path before its first wildcard, in lower case: some disks do not tell cases apart. */
function fixed(path: string): string {
  const names = path
    .toLowerCase()
    .split('/')
    .filter((name) => name !== '' && name !== '.');
  const wild = names.findIndex((name) => /[*?[{]/.test(name));
  return (wild < 0 ? names : names.slice(0, wild)).join('/');
}
