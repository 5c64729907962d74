/** Rooms inside of an app: which folder imports which, on how many floors they stand, and which arrows run back up. */
import path from 'node:path';
import type { Source } from '../source/source.ts';
import { importsOf } from './imports.ts';

/** Rooms that each room imports. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Folders whose folders are rooms of their own: each subject of the use cases. */
const OF_SUBJECTS: ReadonlySet<string> = new Set(['use-cases']);

/**
 * The room of a file: the folder of `root` that it lies in, with all folders below; in `use-cases` the folder of its subject. A file that lies
 * in none of them is a room of its own.
 */
export function roomOf(root: string, file: string): string {
  const parts = path.posix.relative(root, file).split('/');
  const depth = OF_SUBJECTS.has(parts[0] ?? '') ? 2 : 1;
  return parts.slice(0, depth).join('/');
}

/** Every import from one room of `root` into another, of types too; `sources` has no tests. */
export function drawGraph(root: string, sources: readonly Source[]): Graph {
  const graph = new Map<string, Set<string>>();
  for (const source of sources) {
    const room = roomOf(root, source.file);
    const imported = graph.get(room) ?? new Set<string>();
    graph.set(room, imported);
    for (const target of filesImportedBy(source)) {
      const other = roomOf(root, target);
      if (other !== room) imported.add(other);
    }
  }
  return graph;
}

/** The files that a file imports by a relative path. */
export function filesImportedBy(source: Source): readonly string[] {
  return importsOf(source)
    .flatMap(({ module }) => (module?.startsWith('.') === true ? [module] : []))
    .map((module) => path.posix.join(path.posix.dirname(source.file), module));
}

/** Layers of the rooms. */
export interface Structure {
  readonly rooms: number;
  /** Floors of the tallest pile of rooms: each room stands above all that it imports, but for the arrows back up. */
  readonly floors: number;
  /** Imports from a lower room to a higher one, as `from -> to`: without circles there are none. */
  readonly backUp: readonly string[];
}

/**
 * Piles the rooms up: the next room is one whose imports all stand already. If a circle leaves none, the next is the room with the fewest missing
 * imports, and those imports run back up.
 */
export function pileUp(graph: Graph): Structure {
  const floors = new Map<string, number>();
  const backUp: string[] = [];
  const waiting = new Set([...graph.keys()].toSorted());
  while (waiting.size > 0) {
    const missing = (room: string): readonly string[] => [...(graph.get(room) ?? [])].filter((it) => waiting.has(it));
    const users = (room: string): number => [...waiting].filter((it) => graph.get(it)?.has(room) === true).length;
    const [next = ''] = [...waiting].toSorted(
      (one, other) => missing(one).length - missing(other).length || users(other) - users(one),
    );
    backUp.push(...missing(next).map((it) => `${next} -> ${it}`));
    const below = [...(graph.get(next) ?? [])].map((it) => floors.get(it) ?? 0);
    floors.set(next, 1 + Math.max(0, ...below));
    waiting.delete(next);
  }
  return { rooms: graph.size, floors: Math.max(0, ...floors.values()), backUp };
}
