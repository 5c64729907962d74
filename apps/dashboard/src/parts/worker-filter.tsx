/** Draws the field that filters workers; the key `/` goes to it. */
import css from './parts.module.css';

interface Props {
  readonly value: string | undefined;
  readonly onFilter: (q: string) => void;
}

export function WorkerFilter({ value = '', onFilter }: Props) {
  return (
    <input
      className={css.filter}
      data-filter=""
      type="search"
      placeholder="Filter the workers  /"
      aria-label="Filter the workers"
      value={value}
      onChange={({ target }) => onFilter(target.value)}
    />
  );
}
