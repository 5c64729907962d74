/** May this machine work in a project's directory? Its owner says so in a file that the coordinator cannot change. */
import { relative, resolve, sep } from 'node:path';
import type { Seat } from '@drover/protocol';
import { OrderError } from '../failure.ts';

/** @throws OrderError `root-not-allowed`. @param roots Absolute directories; none allows every place. */
export function refuseElsewhere(roots: readonly string[], { name, project }: Pick<Seat, 'name' | 'project'>): void {
  if (roots.length === 0 || roots.some((root) => isWithin(root, project.root))) return;
  const message = `"${name}" lies in "${project.root}", where this machine's owner lets Drover not work: see agent.allowed_roots`;
  throw new OrderError('root-not-allowed', message);
}

function isWithin(root: string, path: string): boolean {
  const way = relative(resolve(root), resolve(path));
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !way.startsWith(sep));
}
