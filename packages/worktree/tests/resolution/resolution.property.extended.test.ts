/**
 * Tests that a resolution which keeps the changes of both sides is right, and that each single thing that it leaves
 * out is found. Files have regions that lie apart; a region that both sides changed is a conflict.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judgeResolution } from '../../src/index.ts';
import { BRANCH, WORKER, type Yard, makeYard } from '../support.ts';

/** Number of runs, each of which starts some forty programs. DROVER_RUNS asks for more of them. */
const RUNS = Number(process.env['DROVER_RUNS'] ?? 12);

const NAMES = ['a.txt', 'd/b.txt', 'ü "q"\n.txt', '-rf'] as const;
const REGIONS = [0, 1, 2] as const;

/** Side that changed a region. */
const region = fc.constantFrom('nobody', 'own', 'main', 'both');
/** A file that was there before, with its regions, or one that a side has added. */
const file = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('old' as const), regions: fc.tuple(region, region, region) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('of-own' as const, 'of-main' as const) }) },
);
type File = typeof file extends fc.Arbitrary<infer T> ? T : never;
const fault = fc.constantFrom('none', 'markers', 'lose-own', 'undo-main', 'empty', 'delete', 'as-base');
const history = fc.record({ files: fc.tuple(file, file, file, file), fault, at: fc.nat(3) });
type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

type Side = 'base' | 'own' | 'main' | 'both';

/** A file as one side has it; undefined where it is not there. */
function textOf(file: File, side: Side, name: string): string | undefined {
  if (file.kind !== 'old') {
    const by = file.kind === 'of-own' ? 'own' : 'main';
    return side === by || side === 'both' ? `${by} ${name}\n` : undefined;
  }
  return REGIONS.map((index) => regionOf(file.regions[index], side, `${name.trim()} ${index}`)).join('');
}

function regionOf(by: string, side: Side, name: string): string {
  const isOwn = (by === 'own' || by === 'both') && (side === 'own' || side === 'both');
  const isMain = (by === 'main' || by === 'both') && (side === 'main' || side === 'both');
  const lines = [...(isMain ? ['main'] : []), ...(isOwn ? ['mine'] : [])];
  const text = lines.length > 0 ? lines.map((line) => `${line} ${JSON.stringify(name)}\n`).join('') : 'as before\n';
  return `${text}${`around ${JSON.stringify(name)}\n`.repeat(8)}`;
}

/** Builds the resolution, with the one fault in it. */
function resolved({ files, fault, at }: History): (string | undefined)[] {
  return files.map((file, index) => {
    const name = NAMES[index] ?? '';
    const right = textOf(file, 'both', name);
    if (index !== at) return right;
    switch (fault) {
      case 'lose-own':
        return textOf(file, 'main', name);
      case 'undo-main':
        return textOf(file, 'own', name);
      case 'as-base':
        return textOf(file, 'base', name);
      case 'empty':
        return '';
      case 'delete':
        return undefined;
      case 'markers':
        return `${right ?? ''}>>>>>>> 1234567 (by the worker)\n`;
      default:
        return right;
    }
  });
}

/** Computes what git must say: by which changes of the one file are not there any more. */
function expected(history: History): string {
  const { files, fault, at } = history;
  const file = files[at];
  const name = NAMES[at] ?? '';
  const now = resolved(history);
  const trees = (side: Side): (string | undefined)[] =>
    files.map((each, index) => textOf(each, side, NAMES[index] ?? ''));
  if (JSON.stringify(now) === JSON.stringify(trees('main')))
    return JSON.stringify(trees('own')) === JSON.stringify(trees('base')) ? 'contained' : 'emptied';
  if (fault === 'none' || file === undefined || now[at] === textOf(file, 'both', name)) return 'resolved';
  if (fault === 'markers') return 'markers';
  const byOwn = textOf(file, 'own', name) !== textOf(file, 'base', name);
  if (!byOwn) return 'undone-others';
  // Allows the choice of one side where each of its changes was in conflict.
  if (fault === 'undo-main') return file.kind === 'old' && file.regions.includes('main') ? 'undone-others' : 'resolved';
  return 'lost-own';
}

async function commitTree(
  yard: Yard,
  texts: readonly (string | undefined)[],
  parents: readonly string[],
): Promise<string> {
  const { worktree: at, sh, write } = yard;
  await write(
    at,
    Object.fromEntries(texts.map((text, index) => [NAMES[index] ?? '', text]).filter(([, text]) => text !== undefined)),
  );
  await sh(at, 'add', '-A');
  const tree = await sh(at, 'write-tree');
  const commit = await sh(at, 'commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-m', 'x');
  await sh(at, 'rm', '-r', '-q', '-f', '--ignore-unmatch', '.');
  return commit;
}

test('given any changes of both sides, when one of them is left out, then git says so, and only then', async () => {
  await using yard = await makeYard();
  const { worktree, sh, git } = yard;
  await fc.assert(
    fc.asyncProperty(history, async (given) => {
      const { files } = given;
      const of = (side: Side): (string | undefined)[] =>
        files.map((each, index) => textOf(each, side, NAMES[index] ?? ''));
      await sh(worktree, 'rm', '-r', '-q', '-f', '--ignore-unmatch', '.');
      const parted = await commitTree(yard, of('base'), []);
      const onto = await commitTree(yard, of('main'), [parted]);
      const orig = await commitTree(yard, of('own'), [parted]);
      const head = await commitTree(yard, resolved(given), [onto]);
      await sh(worktree, 'update-ref', `refs/heads/${BRANCH}`, head);
      await sh(worktree, 'reset', '-q', '--hard');

      const when = await judgeResolution(git, { worktree, worker: WORKER, onto, orig });

      expect(when.kind).toBe(expected(given));
    }),
    { numRuns: RUNS },
  );
});
