/** Draws a worker's state: a shape, then the word, then a colour, so that no meaning hangs on the colour. */
import type { WorkerView } from '@drover/api';
import { STATUS_WORDS } from '../fleet/text.ts';
import css from './parts.module.css';

type Status = WorkerView['status'];

/** Paths in a square of 12. */
const SHAPES: Readonly<Record<Status, React.ReactNode>> = {
  error: <rect x="1.5" y="1.5" width="9" height="9" rx="1" fill="currentColor" />,
  needs_input: <path d="M6 1 11.4 10.6H.6Z" fill="currentColor" />,
  needs_review: <path d="M6 .4 11.6 6 6 11.6.4 6Z" fill="currentColor" />,
  working: <circle cx="6" cy="6" r="4.2" fill="currentColor" />,
  rejected: <path d="M5.2 1.6.8 5l4.4 3.4V6.2c2.6 0 4.4.8 5.6 3.4C10.8 6 8.6 3.9 5.2 3.8Z" fill="currentColor" />,
  rebasing: <path d="M3 11V6.5C3 4.5 9 5 9 1M3 1v5.5" fill="none" stroke="currentColor" strokeWidth="1.7" />,
  idle: <circle cx="6" cy="6" r="3.8" fill="none" stroke="currentColor" strokeWidth="1.6" />,
  offline: <path d="M2.2 2.2l7.6 7.6M9.8 2.2 2.2 9.8" stroke="currentColor" strokeWidth="1.8" />,
};

const TONES: Readonly<Record<Status, string | undefined>> = {
  error: css.red,
  needs_input: css.amber,
  needs_review: css.violet,
  working: css.blue,
  rejected: css.blue,
  rebasing: css.blue,
  idle: css.grey,
  offline: css.grey,
};

/** `isUnknown`: the rows are stale, so the state may be another one by now. */
export function StatusMark({ status, isUnknown = false }: { readonly status: Status; readonly isUnknown?: boolean }) {
  return (
    <span className={`${css.status} ${isUnknown ? css.unknown : TONES[status]}`}>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
        {isUnknown ? (
          <text x="3" y="10.5">
            ?
          </text>
        ) : (
          SHAPES[status]
        )}
      </svg>
      {STATUS_WORDS[status]}
      {isUnknown ? <span className="only-spoken">, not known to be current</span> : null}
    </span>
  );
}
