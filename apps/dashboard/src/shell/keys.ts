/** Reads keys. Single keys act outside of fields alone, and can be turned off; Ctrl K works everywhere. */

/** A key as the handlers see it. */
export interface Pressed {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  /** True in a field that takes text, or in a list of choices. */
  readonly isInField: boolean;
}

export type Command =
  | { readonly kind: 'palette' }
  | { readonly kind: 'help' }
  | { readonly kind: 'filter' }
  /** The next that needs a person; in a review the next or previous change. */
  | { readonly kind: 'next' | 'previous' }
  | { readonly kind: 'file'; readonly by: 1 | -1 }
  | { readonly kind: 'comment' }
  /** Presses what the page has for this key. */
  | { readonly kind: 'press'; readonly key: 'm' | 'a' | 'v' | 'A' | 'R' }
  | { readonly kind: 'move'; readonly by: 1 | -1 }
  | { readonly kind: 'option'; readonly number: number }
  | { readonly kind: 'go'; readonly to: PagePath }
  /** The first key of two. */
  | { readonly kind: 'prefix' };

type PagePath = '/' | '/review' | '/panes' | '/runs' | '/machines';

const PAGES: Readonly<Record<string, PagePath>> = {
  i: '/',
  r: '/review',
  p: '/panes',
  u: '/runs',
  m: '/machines',
};

const SINGLE: Readonly<Record<string, Command>> = {
  '?': { kind: 'help' },
  '/': { kind: 'filter' },
  n: { kind: 'next' },
  j: { kind: 'move', by: 1 },
  k: { kind: 'move', by: -1 },
  g: { kind: 'prefix' },
  p: { kind: 'previous' },
  ']': { kind: 'file', by: 1 },
  '[': { kind: 'file', by: -1 },
  c: { kind: 'comment' },
  m: { kind: 'press', key: 'm' },
  a: { kind: 'press', key: 'a' },
  v: { kind: 'press', key: 'v' },
  A: { kind: 'press', key: 'A' },
  R: { kind: 'press', key: 'R' },
};

/** @returns null for a key that means nothing here. `isAfterG`: the key before was the prefix of a page. */
export function commandOf(
  { key, ctrlKey, metaKey, altKey, shiftKey, isInField }: Pressed,
  { isAfterG, singleKeys }: { readonly isAfterG: boolean; readonly singleKeys: boolean },
): Command | null {
  if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k') return { kind: 'palette' };
  if (ctrlKey || metaKey || altKey || isInField || !singleKeys) return null;
  const to = isAfterG ? PAGES[key] : undefined;
  if (to !== undefined) return { kind: 'go', to };
  // A locked shift key accepts nothing.
  if ((key === 'A' || key === 'R') && !shiftKey) return null;
  if (/^[1-9]$/u.test(key)) return { kind: 'option', number: Number(key) };
  return SINGLE[key] ?? null;
}
