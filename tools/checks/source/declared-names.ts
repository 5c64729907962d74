/** Lists the names that a file declares, and the words that each name is made of. */
import path from 'node:path';
import { lineAt, type Source } from './source.ts';
import { childOf, isNode, nameOf, walk, type AnyNode } from './walk.ts';

/** A name that the project chose: of a file or a folder, declared in the file, or sent and stored under that name. */
export type DeclaredName = {
  readonly name: string;
  readonly line: number;
  readonly kind: 'file' | 'function' | 'type' | 'constant' | 'parameter' | 'field' | 'kind' | 'stored name';
};

/** The shapes of the names of kinds, rules and codes, and of fields; other texts are for people. */
const KIND = /^[a-z][a-z0-9]*(?:[-:.][a-z0-9]+)*:?$/u;
const FIELD = /^[A-Za-z_$][\w$-]*$/u;

/**
 * The names of a file: its own, its functions, types, interfaces, classes and top-level constants, the parameters of its functions, fields of
 * its types, classes and objects, its kinds (the texts of its literal types, of `kind` and of `z.literal` and `z.enum`), and what its SQL creates.
 */
export function declaredNames(source: Source): readonly DeclaredName[] {
  const names: DeclaredName[] = [{ name: path.posix.basename(source.file), line: 1, kind: 'file' }];
  const add = (node: AnyNode | null, kind: DeclaredName['kind']): void => {
    const name = nameOf(node) ?? privateNameOf(node);
    if (node === null || name === null) return;
    if ((kind === 'kind' && !KIND.test(name)) || (kind === 'field' && !FIELD.test(name) && !KIND.test(name))) return;
    names.push({ name, line: lineAt(source.text, node.start), kind });
  };
  walk(source.program, (node, { parent }) => {
    if (Array.isArray(node['params'])) for (const it of node['params']) add(parameterOf(it), 'parameter');
    switch (node.type) {
      case 'FunctionDeclaration':
        add(childOf(node, 'id'), 'function');
        break;
      case 'MethodDefinition':
      case 'TSMethodSignature':
        if (node['computed'] !== true) add(childOf(node, 'key'), 'function');
        break;
      case 'PropertyDefinition':
      case 'TSPropertySignature':
        if (node['computed'] !== true) add(childOf(node, 'key'), 'field');
        break;
      case 'Property':
        if (parent?.type !== 'ObjectExpression' || node['computed'] === true) break;
        add(childOf(node, 'key'), 'field');
        if (nameOf(childOf(node, 'key')) === 'kind') add(childOf(node, 'value'), 'kind');
        break;
      case 'TSLiteralType':
        add(childOf(node, 'literal'), 'kind');
        break;
      case 'CallExpression':
        for (const it of kindsIn(node)) add(it, 'kind');
        break;
      case 'TemplateElement':
        for (const it of storedNames(textOf(node)))
          names.push({ ...it, line: lineAt(source.text, node.start) + it.line - 1 });
        break;
      case 'TSTypeAliasDeclaration':
      case 'TSInterfaceDeclaration':
      case 'ClassDeclaration':
        add(childOf(node, 'id'), 'type');
        break;
      case 'VariableDeclarator':
        if (isFunction(childOf(node, 'init'))) add(childOf(node, 'id'), 'function');
        break;
      case 'VariableDeclaration':
        if (parent?.type !== 'Program' && parent?.type !== 'ExportNamedDeclaration') return;
        for (const it of Array.isArray(node['declarations']) ? node['declarations'] : []) {
          if (isNode(it) && !isFunction(childOf(it, 'init'))) add(childOf(it, 'id'), 'constant');
        }
        break;
    }
  });
  return names;
}

/** The names that a text of SQL with a `create table` in it has, also as keys of JSON, without its comments and what orders its rows. */
export function storedNames(sql: string): readonly DeclaredName[] {
  if (!/\bcreate table\b/iu.test(sql)) return [];
  return sql.split('\n').flatMap((text, index) => {
    const said = text.replace(/--.*$/u, '').replaceAll(/\border by\b/giu, '');
    return [...said.matchAll(/[A-Za-z_]+/gu)].map(([name]) => ({
      name,
      line: index + 1,
      kind: 'stored name' as const,
    }));
  });
}

function textOf(element: AnyNode): string {
  const value = element['value'];
  return typeof value === 'object' && value !== null && 'raw' in value ? String(value.raw) : '';
}

/** The texts of `z.literal('a')` and `z.enum(['a'])`. */
function kindsIn(call: AnyNode): readonly AnyNode[] {
  const callee = childOf(call, 'callee');
  const method = callee === null ? null : nameOf(childOf(callee, 'property'));
  const [first] = Array.isArray(call['arguments']) ? call['arguments'] : [];
  if (!isNode(first)) return [];
  if (method === 'literal') return [first];
  const elements = first['elements'];
  return method === 'enum' && Array.isArray(elements) ? elements.filter(isNode) : [];
}

function privateNameOf(node: AnyNode | null): string | null {
  return node?.type === 'PrivateIdentifier' && typeof node['name'] === 'string' ? node['name'] : null;
}

function isFunction(node: AnyNode | null): boolean {
  return node?.type === 'ArrowFunctionExpression' || node?.type === 'FunctionExpression';
}

/** The identifier of a parameter; one that takes an object apart has no name of its own. */
function parameterOf(node: unknown): AnyNode | null {
  if (!isNode(node)) return null;
  if (node.type === 'Identifier') return node;
  return parameterOf(node['left'] ?? node['argument'] ?? node['parameter']);
}

/** The words of a name in lower case: `orderBy`, `order-by.test.ts` and `ORDER_BY` are all `order by`. */
export function wordsOf(name: string): readonly string[] {
  return name
    .replace(/\..*$/u, '')
    .split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/u)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}
