/** Finds imports of an app that do not go down its floors, as its README.md draws them. */
import { lineAt, type Source } from '../source/source.ts';
import { filesImportedBy, roomOf } from './graph.ts';

/** The floor of each folder of an app's sources. */
export type Floors = ReadonlyMap<string, number>;

/** Reads the table under `## Floors`. A row reads ``| 1 | `context` | what it is for |``, and may name several folders. */
export function readFloors(readme: string): Floors {
  const section = /^## Floors$([\s\S]*?)(?=^## |(?![\s\S]))/mu.exec(readme)?.[1] ?? '';
  return new Map(
    [...section.matchAll(/^\| *(\d+) *\|([^|]*)\|/gmu)].flatMap(([, floor, cell = '']) =>
      [...cell.matchAll(/`([^`]+)`/gu)].map(([, folder = '']): [string, number] => [folder, Number(floor)]),
    ),
  );
}

/**
 * Says, one line each, which imports of a file do not go to a lower floor. Rooms of one floor do not import one another, so no use case
 * imports another.
 *
 * @param root The folder of the app's sources.
 */
export function floorProblems(source: Source, root: string, floors: Floors): readonly string[] {
  const room = roomOf(root, source.file);
  const own = floorOf(room, floors);
  if (own === undefined) return [`${source.file}: lies on no floor that the README.md of its app names`];
  return filesImportedBy(source).flatMap((target) => {
    const other = roomOf(root, target);
    const below = floorOf(other, floors);
    if (other === room || (below !== undefined && below < own)) return [];
    const line = lineAt(source.text, Math.max(0, source.text.indexOf(target.slice(target.lastIndexOf('/')))));
    return [`${source.file}:${line}: on floor ${own} imports ${other} of floor ${below ?? 'none'}: imports go down`];
  });
}

function floorOf(room: string, floors: Floors): number | undefined {
  return floors.get(room) ?? floors.get(room.split('/')[0] ?? room);
}
