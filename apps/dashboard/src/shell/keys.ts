/** Reads keys. Single keys act outside of fields alone, and can be turned off; Ctrl K works everywhere. */

/** A key as the handlers see it. */
export interface Pressed {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  /** True in a field that takes text, or in a list of choices. */
  readonly isInField: boolean;
}

export type Command =
  | { readonly kind: 'palette' }
  | { readonly kind: 'help' }
  | { readonly kind: 'filter' }
  | { readonly kind: 'next' }
  | { readonly kind: 'move'; readonly by: 1 | -1 }
  | { readonly kind: 'option'; readonly number: number }
  | { readonly kind: 'go'; readonly to: '/' | '/review' | '/machines' }
  /** The first key of two. */
  | { readonly kind: 'prefix' };

const PAGES: Readonly<Record<string, '/' | '/review' | '/machines'>> = { i: '/', r: '/review', m: '/machines' };

const SINGLE: Readonly<Record<string, Command>> = {
  '?': { kind: 'help' },
  '/': { kind: 'filter' },
  n: { kind: 'next' },
  j: { kind: 'move', by: 1 },
  k: { kind: 'move', by: -1 },
  g: { kind: 'prefix' },
};

/** @returns null for a key that means nothing here. `isAfterG`: the key before was the prefix of a page. */
export function commandOf(
  { key, ctrlKey, metaKey, altKey, isInField }: Pressed,
  { isAfterG, singleKeys }: { readonly isAfterG: boolean; readonly singleKeys: boolean },
): Command | null {
  if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k') return { kind: 'palette' };
  if (ctrlKey || metaKey || altKey || isInField || !singleKeys) return null;
  const to = isAfterG ? PAGES[key] : undefined;
  if (to !== undefined) return { kind: 'go', to };
  if (/^[1-9]$/u.test(key)) return { kind: 'option', number: Number(key) };
  return SINGLE[key] ?? null;
}
