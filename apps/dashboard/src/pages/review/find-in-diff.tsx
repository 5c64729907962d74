/** Searches a diff of which not every line is drawn, where the browser's own search would miss lines. */
import { useMemo, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import type { DiffFile } from './diff-files.ts';
import parts from '../../parts/parts.module.css';
import css from './review.module.css';

/** Place of a line in a diff. */
export interface Hit {
  readonly file: number;
  readonly line: number;
}

/** Hits that are counted at most. */
const HITS_MAX = 1_000;

interface Props {
  readonly files: readonly DiffFile[];
  readonly onHit: (hit: Hit | null) => void;
}

export function FindInDiff({ files, onHit }: Props) {
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const hits = useMemo(() => hitsOf(files, typed), [files, typed]);
  const goTo = (next: number): void => {
    if (hits.length === 0) return;
    const place = (next + hits.length) % hits.length;
    setAt(place);
    onHit(hits[place] ?? null);
  };
  return (
    <form
      className={css.find}
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        goTo(at + 1);
      }}
    >
      <input
        type="search"
        data-filter=""
        aria-label="Search this diff"
        placeholder="Search this diff  /"
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          // The first Enter goes to the first hit.
          setAt(-1);
          onHit(null);
        }}
      />
      <Button onClick={() => goTo(at - 1)}>Previous</Button>
      <Button type="submit">Next</Button>
      <span role="status" className={parts.dim}>
        {typed === '' ? 'Not every line is drawn: search here.' : countText(hits.length, at)}
      </span>
    </form>
  );
}

function countText(count: number, at: number): string {
  const many = count === HITS_MAX ? `${count} or more` : String(count);
  return at < 0 || count === 0 ? `${many} lines` : `${at + 1} of ${many}`;
}

export function hitsOf(files: readonly DiffFile[], words: string): readonly Hit[] {
  const wanted = words.toLowerCase();
  const hits: Hit[] = [];
  if (wanted === '') return hits;
  for (const [file, { lines }] of files.entries())
    for (const [line, { text }] of lines.entries()) {
      if (hits.length === HITS_MAX) return hits;
      if (text.toLowerCase().includes(wanted)) hits.push({ file, line });
    }
  return hits;
}
