/** Keeps what a person writes until it is sent: a reload, a cut line or a new build loses no word. */
import { useState } from 'react';
import { keep, readKept } from './browser-adapter.ts';

/** As `useState`, for a text that is kept under the name. Empty texts are forgotten. */
export function useDraft(name: string): [text: string, write: (text: string) => void] {
  const key = `draft ${name}`;
  const [kept, setKept] = useState(() => ({ key, text: readKept(key) ?? '' }));
  // The page shows another worker now: it has a draft of its own.
  const text = kept.key === key ? kept.text : (readKept(key) ?? '');
  const write = (next: string): void => {
    keep(key, next === '' ? null : next);
    setKept({ key, text: next });
  };
  return [text, write];
}
