/** Completes a short profile document from the built-in one that it names with `like`. */
import { z } from 'zod';
import type { LoadedProfile } from './load.ts';

/** Fields of a short document that are no part of the whole one. */
const short = z.looseObject({
  /** Built-in document that says all that this one does not. */
  like: z.string(),
  /** Fields of that document that this program does not have, such as `launch.session`. TOML has no word for nothing. */
  unset: z.array(z.string()).default([]),
});

type Table = Readonly<Record<string, unknown>>;

/** A document with every field, or the problems of a short one. */
type Completed =
  | { readonly kind: 'whole'; readonly document: unknown }
  | Extract<LoadedProfile, { readonly kind: 'invalid' }>;

/**
 * Lays a short document over the one that it is like: tables field by field, everything else, lists too, as a whole. A document without `like`
 * is whole as it is.
 */
export function completeDocument(json: unknown, documents: readonly { readonly id: string }[]): Completed {
  if (!isTable(json) || !('like' in json)) return { kind: 'whole', document: json };
  const parsed = short.safeParse(json);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
    return { kind: 'invalid', problems };
  }
  const { like, unset, ...own } = parsed.data;
  const base = documents.find(({ id }) => id === like);
  if (base === undefined) {
    const names = documents.map(({ id }) => id).join(', ');
    return { kind: 'invalid', problems: [{ path: 'like', message: `must be one of ${names}, but is "${like}"` }] };
  }
  const unknown = unset.filter((path) => !has(base, path.split('.')));
  if (unknown.length > 0) {
    const problems = unknown.map((path) => ({
      path: 'unset',
      message: `the profile "${like}" has no field "${path}"`,
    }));
    return { kind: 'invalid', problems };
  }
  const bare = unset.reduce<unknown>((document, path) => without(document, path.split('.')), base);
  return { kind: 'whole', document: laidOver(bare, { versions: [], revision: 1, ...own }) };
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function has(value: unknown, [first = '', ...rest]: readonly string[]): boolean {
  if (!isTable(value) || !Object.hasOwn(value, first)) return false;
  return rest.length === 0 || has(value[first], rest);
}

function without(value: unknown, [first = '', ...rest]: readonly string[]): unknown {
  if (!isTable(value)) return value;
  return { ...value, [first]: rest.length === 0 ? null : without(value[first], rest) };
}

/** A table of another `kind` has other fields, and replaces the one below it. */
function laidOver(base: unknown, own: unknown): unknown {
  if (!isTable(base) || !isTable(own)) return own;
  if ('kind' in own && own['kind'] !== base['kind']) return own;
  const fields = Object.entries(own).map(([name, value]) => [
    name,
    Object.hasOwn(base, name) ? laidOver(base[name], value) : value,
  ]);
  return { ...base, ...Object.fromEntries(fields) };
}
