/** Finds strings and lists of a schema that have no maximum. Whatever crosses a wire has one. */
import { z } from 'zod';

/** Formats whose values have one length. */
const FIXED: ReadonlySet<unknown> = new Set(['uuid', 'ipv4', 'ipv6']);

/** Returns their paths, such as `.observations[].body.text`. Unknown parts have the limit of the message that they come in. */
export function unboundedParts(schema: z.ZodType): readonly string[] {
  return partsOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), '');
}

/** The same for every schema that a module exports, with its name before. */
export function unboundedExports(module: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(module).flatMap(([name, value]) =>
    value instanceof z.ZodType ? unboundedParts(value).map((part) => `${name}${part}`) : [],
  );
}

type Node = z.core.JSONSchema._JSONSchema;

function partsOf(node: Node | Node[] | undefined, at: string): readonly string[] {
  if (node === undefined || typeof node === 'boolean') return [];
  if (Array.isArray(node)) return node.flatMap((one) => partsOf(one, at));
  const types: readonly unknown[] = [node.type].flat();
  const isOneOf = node.enum !== undefined || node.const !== undefined;
  const isText = types.includes('string') && !isOneOf && !FIXED.has(node.format);
  const own = [
    ...(isText && node.maxLength === undefined ? [`${at} (string)`] : []),
    ...(types.includes('array') && node.maxItems === undefined ? [`${at} (array)`] : []),
  ];
  return [
    ...own,
    ...partsOf(node.items, `${at}[]`),
    ...partsOf(node.propertyNames, `${at}.*`),
    ...partsOf(node.additionalProperties, `${at}.*`),
    ...[node.anyOf, node.oneOf, node.allOf].flatMap((some) => partsOf(some, at)),
    ...Object.entries(node.properties ?? {}).flatMap(([name, one]) => partsOf(one, `${at}.${name}`)),
  ];
}
