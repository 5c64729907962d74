/** Keeps the end of a text that grows in view, unless the person has scrolled away from it. */
import { useLayoutEffect, useRef } from 'react';

/** Pixels from the end within which a person counts as reading the end. */
const NEAR_END = 40;

/** @param content Changes whenever the text may have grown. */
export function useEnd<E extends HTMLElement>(content: unknown): React.RefObject<E | null> {
  const place = useRef<E>(null);
  const height = useRef(0);
  useLayoutEffect(() => {
    const { current } = place;
    if (current === null) return;
    const wasAtEnd = height.current - current.scrollTop - current.clientHeight < NEAR_END;
    if (wasAtEnd) current.scrollTop = current.scrollHeight;
    height.current = current.scrollHeight;
  }, [content]);
  return place;
}
