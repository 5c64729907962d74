/** Draws the frame of a card: what waits, where, and since when. */
import { Age } from '../../parts/age.tsx';
import { Text } from '../../parts/text.tsx';
import css from './inbox.module.css';

interface Props {
  readonly tone: 'red' | 'amber' | 'violet';
  readonly title: React.ReactNode;
  readonly where: string;
  readonly since: number;
  readonly children: React.ReactNode;
}

const MARKS: Readonly<Record<Props['tone'], React.ReactNode>> = {
  red: <rect x="1.5" y="1.5" width="9" height="9" rx="1" fill="currentColor" />,
  amber: <path d="M6 1 11.4 10.6H.6Z" fill="currentColor" />,
  violet: <path d="M6 .4 11.6 6 6 11.6.4 6Z" fill="currentColor" />,
};

export function CardFrame({ tone, title, where, since, children }: Props) {
  return (
    <article className={`${css.card} ${css[tone]}`} data-card="" data-item="" tabIndex={0}>
      <header className={css.cardHead}>
        <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
          {MARKS[tone]}
        </svg>
        <h2>{title}</h2>
        <span className={css.aside}>
          <Text of={where} /> · <Age since={since} />
        </span>
      </header>
      {children}
    </article>
  );
}
