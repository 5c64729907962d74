/** Lists every worker: state, reason, age and place. Filter and order are in the address. */
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { memo, useDeferredValue, useMemo } from 'react';
import type { WorkerView } from '@drover/api';
import { now } from '../../client/browser-adapter.ts';
import { useFleet, useTimed } from '../../client/hooks.ts';
import { isStale } from '../../fleet/rows.ts';
import { readTableSearch, rowsOf } from '../../fleet/table.ts';
import type { Sort } from '../../fleet/table.ts';
import { reasonOf, titleOf } from '../../fleet/text.ts';
import { Age } from '../../parts/age.tsx';
import parts from '../../parts/parts.module.css';
import { StatusMark } from '../../parts/status-mark.tsx';
import { Text } from '../../parts/text.tsx';
import { WorkerFilter } from '../../parts/worker-filter.tsx';
import { useDrawnRows } from './drawn-rows.ts';
import css from './inbox.module.css';

interface Props {
  readonly workers: ReadonlyMap<string, WorkerView>;
  readonly counts: React.ReactNode;
}

const COLUMNS: readonly { readonly title: string; readonly sort?: Sort; readonly width?: string | undefined }[] = [
  { title: 'State', sort: 'state', width: css.narrow },
  { title: 'Worker', sort: 'name', width: css.named },
  { title: 'Task' },
  { title: 'Says, or waits because' },
  { title: 'Since', sort: 'age', width: css.short },
  { title: 'Machine', sort: 'machine', width: css.narrow },
];

export function FleetTable({ workers, counts }: Props) {
  const search = readTableSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const fleet = useFleet();
  const stale = useTimed(() => isStale(fleet, now()));
  // Keys and typing come before rows that changed: those are drawn when there is time.
  const shown = useDeferredValue(workers);
  const { q, sort: by } = search;
  const rows = useMemo(() => rowsOf(shown.values(), { q, sort: by }), [shown, q, by]);
  const drawn = useDrawnRows(rows);
  const sort = search.sort ?? 'state';
  const hasProjects = useMemo(() => new Set([...shown.values()].map(({ project }) => project)).size > 1, [shown]);
  return (
    <section aria-label="All workers">
      <div className={parts.bar}>
        {counts}
        <Link to="/panes" search={search.q === undefined ? {} : { q: search.q }} className={css.toPanes ?? ''}>
          Their panes
        </Link>
        <WorkerFilter
          value={search.q}
          onFilter={(q) => void navigate({ to: '/', search: readTableSearch({ ...search, q }), replace: true })}
        />
      </div>
      <div className={css.scroll} tabIndex={0} role="region" aria-label="Table of workers">
        <table className={css.table} aria-rowcount={rows.length + 1}>
          <thead>
            <tr>
              {COLUMNS.map((column) => (
                <th
                  key={column.title}
                  className={column.width}
                  scope="col"
                  aria-sort={column.sort === sort ? 'ascending' : undefined}
                >
                  {column.sort === undefined ? (
                    column.title
                  ) : (
                    <Link to="/" search={{ ...search, sort: column.sort }} replace>
                      {column.title}
                      {column.sort === sort ? ' ↓' : ''}
                    </Link>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody ref={drawn.place}>
            <Spacer height={drawn.above} />
            {drawn.rows.map((worker, at) => (
              <Row key={worker.id} place={drawn.first + at} worker={worker} hasProjects={hasProjects} stale={stale} />
            ))}
            <Spacer height={drawn.below} />
          </tbody>
        </table>
      </div>
      {rows.length === 0 ? <p className={css.counts}>No worker holds these words.</p> : null}
    </section>
  );
}

/** Keeps the room of rows that are not drawn. A script may set a height under the page's policy. */
function Spacer({ height }: { readonly height: number }) {
  if (height === 0) return null;
  return (
    <tr aria-hidden="true" className={css.spacer}>
      <td colSpan={6} style={{ height }} />
    </tr>
  );
}

interface RowProps {
  /** Place in the whole table, of which not every row is drawn. */
  readonly place: number;
  readonly worker: WorkerView;
  readonly hasProjects: boolean;
  readonly stale: boolean;
}

// Most rows stay the same while some change, often.
const Row = memo(function Row({ place, worker, hasProjects, stale }: RowProps) {
  const { project, name, status, prompt, since, machine, machineState } = worker;
  return (
    // The head is the first row.
    <tr aria-rowindex={place + 2}>
      <td>
        <StatusMark status={status} isUnknown={stale || machineState === 'disconnected'} />
      </td>
      <th scope="row">
        <Link data-item="" to="/workers/$project/$name" params={{ project, name }}>
          {hasProjects ? <span className={css.aside}>{<Text of={project} />}/</span> : null}
          <Text of={name} />
        </Link>
      </th>
      <td className={css.cut}>
        <Text of={titleOf(prompt)} />
      </td>
      <td className={css.cut}>
        <Text of={reasonOf(worker)} />
      </td>
      <td className={css.age}>
        <Age since={since} />
      </td>
      <td>
        <Text of={machine} />
      </td>
    </tr>
  );
});
