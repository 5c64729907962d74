/** Which names does a file declare, and of which words are they made? */
import path from 'node:path';
import { lineAt, type Source } from './source.ts';
import { childOf, isNode, nameOf, walk, type AnyNode } from './walk.ts';

/** A name that the project chose: of a file or a folder, or declared in the file. */
export type DeclaredName = {
  readonly name: string;
  readonly line: number;
  readonly kind: 'file' | 'function' | 'type' | 'constant' | 'parameter';
};

/**
 * The names of a file: its own, its functions, types, interfaces, classes and top-level constants, and the parameters of its functions.
 * Properties are none: they are fields of wires and of stored rows.
 */
export function declaredNames(source: Source): readonly DeclaredName[] {
  const names: DeclaredName[] = [{ name: path.posix.basename(source.file), line: 1, kind: 'file' }];
  const add = (node: AnyNode | null, kind: DeclaredName['kind']): void => {
    const name = nameOf(node);
    if (node !== null && name !== null) names.push({ name, line: lineAt(source.text, node.start), kind });
  };
  walk(source.program, (node, { parent }) => {
    if (Array.isArray(node['params'])) for (const it of node['params']) add(parameterOf(it), 'parameter');
    switch (node.type) {
      case 'FunctionDeclaration':
      case 'MethodDefinition':
        add(childOf(node, node.type === 'MethodDefinition' ? 'key' : 'id'), 'function');
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
