// Visits every node of a syntax tree, and says which property of its parent holds it.

/** A node of the tree as far as a walk needs to know it; the parser's own types describe each kind. */
export type AnyNode = { readonly type: string; readonly start: number; readonly [key: string]: unknown };

/** Calls `visit` for a node and everything in it; `key` is the parent's property that holds the node. */
export function walk(
  node: unknown,
  visit: (node: AnyNode, place: { parent: AnyNode | null; key: string }) => void,
  place: { parent: AnyNode | null; key: string } = { parent: null, key: '' },
): void {
  if (!isNode(node)) return;
  visit(node, place);
  // Runs without lists in between: half of the time of all checks goes by here.
  for (const key in node) {
    const value = node[key];
    if (typeof value !== 'object' || value === null) continue;
    const below = { parent: node, key };
    if (!Array.isArray(value)) walk(value, visit, below);
    else for (const child of value) walk(child, visit, below);
  }
}

/** Tells whether a value of the tree is a node, not a name, a number or a list. */
export function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

/** The node in a property, if one is there. */
export function childOf(node: AnyNode, key: string): AnyNode | null {
  const child = node[key];
  return isNode(child) ? child : null;
}

/** The name of an identifier or the value of a string literal; null for everything else. */
export function nameOf(node: AnyNode | null): string | null {
  if (node === null) return null;
  const name = node.type === 'Literal' ? node['value'] : node.type === 'Identifier' ? node['name'] : null;
  return typeof name === 'string' ? name : null;
}
