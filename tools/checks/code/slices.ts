// Checks that imports inside core go one way, that only a slice's own file writes it, and that only the loop writes rows of workers.
import path from 'node:path';
import { importsOf } from '../rooms/imports.ts';
import { isTest, lineAt, type Source } from '../source/source.ts';
import { childOf, isNode, nameOf, walk } from '../source/walk.ts';

/** The folders of core, from the one that imports all others down to those that import none of them; files of `merge` by themselves. */
export const CORE_LAYERS: readonly (readonly string[])[] = [
  ['explain', 'replay'],
  ['decide.ts'],
  ['events', 'requests', 'merge'],
  ['next', 'merge/commands.ts'],
  ['recovery'],
  ['decision'],
  ['oncall'],
  ['worker', 'merge/state.ts', 'merge/step.ts'],
  ['tool-failures', 'limits', 'checkpoints', 'placement', 'run'],
  ['policy'],
  ['machine', 'taxonomy', 'run/task.ts', 'run/result.ts'],
];

/** The slices of a worker: the names of its fields, and of the files that may write them. */
export const SLICES: readonly string[] = [
  'lifecycle',
  'worktree',
  'command',
  'session',
  'turn',
  'mailbox',
  'task',
  'merge',
  'dialog',
  'account',
  'budget',
  'checkpoint',
  'incident',
  'move',
];

const CORE = 'packages/core/src/';

/** Says, one line each, which imports inside core go against its order. Types of one folder may name those beside it. */
export function layerProblems(source: Source): readonly string[] {
  const { file } = source;
  if (!file.startsWith(CORE) || isTest(file)) return [];
  const own = placeOf(file);
  return importsOf(source).flatMap(({ module, line, kind }) => {
    if (module === null || !module.startsWith('.')) return [];
    const target = path.posix.join(path.posix.dirname(file), module);
    const place = placeOf(target);
    const isUp = own !== null && place !== null && place < own;
    // The class of a tool failure is a key of the policy's table.
    const isKey = kind === 'type' && target === `${CORE}tool-failures/failure.ts`;
    return isUp && !isKey ? [`${file}:${line}: imports ${target.slice(CORE.length)}, which is above it in core`] : [];
  });
}

/** The place of a file in the order; null for files that any may import, and that import any. */
function placeOf(file: string): number | null {
  const own = file.slice(CORE.length);
  const [folder = ''] = own.split('/');
  const place = [own, folder]
    .map((name) => CORE_LAYERS.findIndex((names) => names.includes(name)))
    .find((at) => at >= 0);
  return place ?? null;
}

/** Says, one line each, where a slice is put together outside its own file. */
export function sliceProblems({ file, text, program }: Source): readonly string[] {
  const isOwner = file.startsWith(`${CORE}worker/`) || file === `${CORE}merge/state.ts`;
  if (!file.startsWith(CORE) || isTest(file) || isOwner) return [];
  const found: string[] = [];
  walk(program, (node) => {
    if (node.type !== 'CallExpression' || nameOf(childOf(node, 'callee')) !== 'set') return;
    const slices = Array.isArray(node['arguments']) ? node['arguments'][1] : null;
    if (!isNode(slices) || !Array.isArray(slices['properties'])) return;
    for (const property of slices['properties'].filter(isNode)) {
      const name = nameOf(childOf(property, 'key'));
      const isWritten = childOf(property, 'value')?.type === 'ObjectExpression';
      if (name === null || !SLICES.includes(name) || !isWritten) continue;
      found.push(`${file}:${lineAt(text, property.start)}: writes the slice ${name}: only worker/${name}.ts may`);
    }
  });
  return found;
}

/** Functions of the store that write rows of workers. */
const ROW_WRITERS = new Set(['insertWorker', 'saveWorker', 'saveDecisions', 'deleteWorker']);

const COORDINATOR = 'apps/coordinator/src/';

/** Says, one line each, where the coordinator writes rows of workers outside its loop. */
export function rowProblems({ file, text, program }: Source): readonly string[] {
  if (!file.startsWith(COORDINATOR) || file.startsWith(`${COORDINATOR}loop/`) || isTest(file)) return [];
  const found: string[] = [];
  walk(program, (node) => {
    const name = node.type === 'MemberExpression' ? nameOf(childOf(node, 'property')) : null;
    if (name === null || !ROW_WRITERS.has(name)) return;
    found.push(`${file}:${lineAt(text, node.start)}: ${name} writes a worker's row: only ${COORDINATOR}loop may`);
  });
  return found;
}
