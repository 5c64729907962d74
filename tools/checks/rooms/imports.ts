// Lists the modules that a file imports, and finds those that the order of the rooms forbids.
import path from 'node:path';
import type { Layer } from '../source/rooms.ts';
import { isTest, lineAt, type Source } from '../source/source.ts';
import { childOf, nameOf, walk } from '../source/walk.ts';

/** Import, re-export or `import()`. */
export type Import = {
  /** The module as it is written; null where an expression computes it. */
  readonly module: string | null;
  readonly line: number;
  /** `type` leaves nothing at run time; `dynamic` loads only when it is reached. */
  readonly kind: 'value' | 'type' | 'dynamic';
};

const HOLDERS: Readonly<Record<string, 'static' | 'type' | 'dynamic'>> = {
  ImportDeclaration: 'static',
  ExportNamedDeclaration: 'static',
  ExportAllDeclaration: 'static',
  TSImportType: 'type',
  ImportExpression: 'dynamic',
};

const KNOWN = new WeakMap<Source, readonly Import[]>();

/** Every import of a file, in the order in which they stand. Walks the file once for all checks. */
export function importsOf(source: Source): readonly Import[] {
  const known = KNOWN.get(source) ?? readImports(source);
  KNOWN.set(source, known);
  return known;
}

function readImports(source: Source): readonly Import[] {
  const found: Import[] = [];
  walk(source.program, (node) => {
    const holder = HOLDERS[node.type];
    const from = childOf(node, 'source');
    if (holder === undefined || from === null) return;
    const isType = node['importKind'] === 'type' || node['exportKind'] === 'type' || onlyTypes(node['specifiers']);
    const kind = holder === 'static' ? (isType ? 'type' : 'value') : holder;
    found.push({ module: from.type === 'Literal' ? nameOf(from) : null, line: lineAt(source.text, node.start), kind });
  });
  return found;
}

function onlyTypes(specifiers: unknown): boolean {
  if (!Array.isArray(specifiers) || specifiers.length === 0) return false;
  return specifiers.every((it) => it.importKind === 'type' || it.exportKind === 'type');
}

/** Packages that apps that talk to Drover only from outside may import: `type` allows imports of types alone. */
const CLIENTS: Readonly<Record<string, Readonly<Record<string, 'all' | 'type'>>>> = {
  'apps/cli': {
    'packages/base': 'all',
    'packages/protocol': 'all',
    'packages/config': 'all',
    'packages/screen': 'all',
    // The tmux servers of this machine: `attach` and `down` work without a coordinator.
    'packages/host': 'all',
    'packages/tmux': 'all',
    'packages/api': 'type',
  },
  'apps/dashboard': { 'packages/protocol': 'type', 'packages/api': 'type' },
};

/**
 * The one exception (docs/adr/0027-one-package-and-small-processes.md): files that put processes together from the apps.
 * Other commands load none of them, so they stay quick and apart.
 */
const COMPOSITION_ROOT =
  /^apps\/cli\/src\/(?:compose\/[a-z-]+|commands\/(?:root\/(?:init|up|remove-root)|server\/(?:agent|gateway|coordinator|bot)|doctor\/(?:doctor|here|restore)))\.ts$/u;
/** Files that answer a hook decide by core's own tables, within 100 ms and without asking anybody (docs/adr/0008-a-record-proves-a-delivery.md). */
const HOOK = /^apps\/cli\/src\/hook\/[a-z-]+\.ts$/u;
const COMPOSER = 'apps/cli';
const COMPOSED: readonly string[] = ['apps/coordinator', 'apps/machine-agent', 'apps/chat-bot'];

/**
 * Doors for clients: a terminal and a page show text by core's own table and quote words for a shell, and must not wait for the rest of core;
 * the pages in a browser read a diff, and load no schema.
 */
const FOR_CLIENTS = ['@drover/core/hidden-characters', '@drover/core/shell-word', '@drover/protocol/diff-lines'];

/** Says, one line each, which imports of a file break the order of the rooms. */
export function importProblems(source: Source, layers: ReadonlyMap<string, Layer>): readonly string[] {
  const room = roomOf(source.file, layers);
  if (room === null) return [`${source.file}: lies in no room that docs/architecture.md names`];
  if (layers.get(room) === 'any') return [];
  return importsOf(source).flatMap((found) => {
    const problem = problemOf(source.file, { room, layers }, found);
    return problem === null ? [] : [`${source.file}:${found.line}: ${problem}`];
  });
}

/** The room of a file, among all of them. */
type Place = { readonly room: string; readonly layers: ReadonlyMap<string, Layer> };

function problemOf(file: string, { room, layers }: Place, { module, kind }: Import): string | null {
  if (module === null) return 'imports a computed module, which no check can follow: write its name';
  if (module.startsWith('.')) {
    const target = path.posix.join(path.posix.dirname(file), module);
    // Tests of every room play on the one harness.
    if (isTest(file) && target.startsWith('tools/fleet/')) return null;
    return target.startsWith(`${room}/`) ? null : `reaches out of its room into ${target}: import the room by its name`;
  }
  if (!module.startsWith('@drover/')) return null;
  const [, name = '', ...subpath] = module.split('/');
  const target = [`packages/${name}`, `apps/${name}`, name].find((directory) => layers.has(directory));
  if (target === undefined) return `imports ${module}, a room that docs/architecture.md does not name`;
  if (subpath[0] === 'testing' && !isTest(file)) return `imports ${module} outside of tests`;
  if (target === room) return `imports its own room by name: use a relative path`;
  // Tests start real parts, such as a database, also those of clients.
  if (CLIENTS[room] !== undefined && isTest(file) && typeof layers.get(target) === 'number') return null;
  // A composition root, and a test that starts what it composes.
  if ((COMPOSITION_ROOT.test(file) || (room === COMPOSER && isTest(file))) && COMPOSED.includes(target)) return null;
  if (HOOK.test(file) && module === '@drover/core/tool-failures') return null;
  if (CLIENTS[room] !== undefined && FOR_CLIENTS.includes(module)) return null;
  return layerProblem({ room, layers }, target, kind);
}

function layerProblem({ room, layers }: Place, target: string, kind: Import['kind']): string | null {
  const own = layers.get(room);
  const other = layers.get(target);
  if (typeof other !== 'number') return `imports ${target}: nobody imports an app, tools or bench`;
  const client = CLIENTS[room];
  if (client !== undefined) {
    const allowed = client[target];
    if (allowed === 'all' || (allowed === 'type' && kind === 'type')) return null;
    return `imports ${target}: ${room} sees only ${Object.entries(client)
      .map(([name, what]) => (what === 'type' ? `types of ${name}` : name))
      .join(', ')}`;
  }
  if (own === 'app' || (typeof own === 'number' && other < own)) return null;
  return `imports ${target} (layer ${other}) from layer ${own}: imports go to lower layers only, never sideways`;
}

function roomOf(file: string, layers: ReadonlyMap<string, Layer>): string | null {
  return [...layers.keys()].find((directory) => file.startsWith(`${directory}/`)) ?? null;
}
