// Finds files that read the clock, chance, the network or the environment themselves.
import { isTest, lineAt, type Source } from '../source/source.ts';
import { childOf, isNode, nameOf, walk, type AnyNode } from '../source/walk.ts';

/** Rooms that may not even name `Date`: what they know of time are numbers that they are given. */
const PURE_ROOMS = ['packages/core/', 'packages/screen/'];

/** Rooms that live outside the product's own time: a program on a real terminal, checks, measurements. */
const EXEMPT_ROOMS = ['apps/sim-agent/', 'tools/', 'bench/'];

/** Files that are adapters under another name, each with its reason. */
const EXEMPT_FILES: Readonly<Record<string, string>> = {
  'apps/dashboard/build.ts': 'a program that builds, and no part of what it builds',
  'packages/config/src/environment.ts': 'the one place that reads process.env',
  'packages/real-agents/src/mock-server/server.ts': 'streams to real programs, in real time',
  'packages/host/src/local/run-program.ts': 'the adapter to the operating system: its deadline ends a real process',
};

/** Names that are an effect wherever they stand. */
const NAMES = new Set(['setTimeout', 'setInterval', 'setImmediate', 'fetch', 'performance', 'globalThis']);

/** Properties that are an effect, by the name of the object. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  Date: ['now'],
  Math: ['random'],
  process: ['env', 'hrtime', 'uptime'],
  AbortSignal: ['timeout'],
};

const MODULES = new Set([
  'node:timers',
  'node:timers/promises',
  'timers',
  'timers/promises',
  'node:perf_hooks',
  'perf_hooks',
  'node:process',
  'process',
]);

/** Says, one line each, where a file has an effect that belongs into an adapter. */
export function effectProblems(source: Source): readonly string[] {
  if (mayHaveEffects(source.file)) return [];
  const isPure = PURE_ROOMS.some((room) => source.file.startsWith(room));
  const declared = declaredNames(source);
  const found: string[] = [];
  walk(source.program, (node, { parent, key }) => {
    const effect = moduleEffect(node) ?? memberEffect(node, declared) ?? clockRead(node, declared);
    const named = isPlainReference(node, parent, key) ? nameEffect(node, isPure, declared) : null;
    const what = effect ?? named;
    if (what !== null)
      found.push(`${source.file}:${lineAt(source.text, node.start)}: uses ${what}; take it as an argument or a port`);
  });
  return found;
}

function mayHaveEffects(file: string): boolean {
  if (isTest(file) || file in EXEMPT_FILES || EXEMPT_ROOMS.some((room) => file.startsWith(room))) return true;
  return /-adapter\.ts$|\/system-clock\.ts$|^apps\/[a-z-]+\/src\/main\.ts$/u.test(file);
}

function moduleEffect(node: AnyNode): string | null {
  const module = nameOf(childOf(node, 'source'));
  return module !== null && MODULES.has(module) ? module : null;
}

function memberEffect(node: AnyNode, declared: ReadonlySet<string>): string | null {
  if (node.type === 'VariableDeclarator' && childOf(node, 'id')?.type === 'ObjectPattern') {
    const taken = nameOf(childOf(node, 'init')) ?? '';
    return taken in MEMBERS && !declared.has(taken) ? `parts of ${taken}` : null;
  }
  if (node.type !== 'MemberExpression') return null;
  const object = nameOf(childOf(node, 'object'));
  const property = nameOf(childOf(node, 'property'));
  if (object === null || property === null || declared.has(object)) return null;
  return MEMBERS[object]?.includes(property) ? `${object}.${property}` : null;
}

/** `Date()` and `new Date()` read the clock; `new Date(epochMs)` only writes a number in another way. */
function clockRead(node: AnyNode, declared: ReadonlySet<string>): string | null {
  if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return null;
  if (nameOf(childOf(node, 'callee')) !== 'Date' || declared.has('Date')) return null;
  const isEmpty = Array.isArray(node['arguments']) && node['arguments'].length === 0;
  return isEmpty || node.type === 'CallExpression' ? 'the clock by Date()' : null;
}

function nameEffect(node: AnyNode, isPure: boolean, declared: ReadonlySet<string>): string | null {
  const name = nameOf(node);
  if (name === null || declared.has(name)) return null;
  return NAMES.has(name) || (isPure && name === 'Date') ? name : null;
}

/** Tells whether an identifier stands for a value: not a key, a property's name or part of a type. */
function isPlainReference(node: AnyNode, parent: AnyNode | null, key: string): boolean {
  if (node.type !== 'Identifier' || parent === null) return false;
  if (parent.type.startsWith('TS')) return key === 'expression';
  if (key === 'property' || key === 'key') return parent['computed'] === true;
  return key !== 'imported' && key !== 'exported' && key !== 'label';
}

const DECLARING = new Set([
  'VariableDeclarator',
  'FunctionDeclaration',
  'ClassDeclaration',
  'ImportSpecifier',
  'ImportDefaultSpecifier',
  'ImportNamespaceSpecifier',
]);

/** Names that the file itself declares anywhere: a parameter named `fetch` is a port, not the network. */
function declaredNames(source: Source): ReadonlySet<string> {
  const names = new Set<string>();
  walk(source.program, (node) => {
    if (DECLARING.has(node.type)) addPattern(node['id'] ?? node['local'], names);
    const params = node['params'];
    if (Array.isArray(params)) for (const param of params) addPattern(param, names);
  });
  return names;
}

function addPattern(pattern: unknown, names: Set<string>): void {
  if (!isNode(pattern)) return;
  const name = pattern.type === 'Identifier' ? nameOf(pattern) : null;
  if (name !== null) names.add(name);
  for (const key of ['left', 'argument', 'value', 'parameter']) addPattern(pattern[key], names);
  for (const key of ['elements', 'properties']) {
    const inner = pattern[key];
    if (Array.isArray(inner)) for (const child of inner) addPattern(child, names);
  }
}
