/** Draws the status of a run, a stage or an item: a shape, then the word, then a colour. */
import { standingOf } from '../../fleet/runs.ts';
import type { Standing } from '../../fleet/runs.ts';
import parts from '../../parts/parts.module.css';
import { Text } from '../../parts/text.tsx';

/** Paths in a square of 12. */
const SHAPES: Readonly<Record<Standing, React.ReactNode>> = {
  waits: <circle cx="6" cy="6" r="3.8" fill="none" stroke="currentColor" strokeWidth="1.6" />,
  works: <circle cx="6" cy="6" r="4.2" fill="currentColor" />,
  asks: <path d="M6 1 11.4 10.6H.6Z" fill="currentColor" />,
  passed: <path d="M1.5 6.5 4.8 9.8 10.8 2.6" fill="none" stroke="currentColor" strokeWidth="2" />,
  part: <path d="M6 1.5a4.5 4.5 0 0 1 0 9Z M6 1.5a4.5 4.5 0 0 0 0 9" fill="currentColor" stroke="currentColor" />,
  failed: <rect x="1.5" y="1.5" width="9" height="9" rx="1" fill="currentColor" />,
  over: <path d="M2.2 2.2l7.6 7.6M9.8 2.2 2.2 9.8" stroke="currentColor" strokeWidth="1.8" />,
};

const TONES: Readonly<Record<Standing, string | undefined>> = {
  waits: parts.grey,
  works: parts.blue,
  asks: parts.amber,
  passed: parts.green,
  part: parts.amber,
  failed: parts.red,
  over: parts.grey,
};

interface Props {
  readonly status: string;
  /** True where it waits for a person. */
  readonly asks?: boolean;
  /** Words instead of the status; null: the shape alone, which the place around it names. */
  readonly words?: string | null;
}

export function RunMark({ status, asks = false, words = status }: Props) {
  const standing = asks ? 'asks' : standingOf(status);
  return (
    <span className={`${parts.status} ${TONES[standing]}`}>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
        {SHAPES[standing]}
      </svg>
      {words === null ? null : <Text of={words} />}
    </span>
  );
}
