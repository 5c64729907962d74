/** Shows the panes of nine workers at once, live and small. Filter and page are in the address. */
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { showHidden } from '@drover/core/hidden-characters';
import type { WorkerView } from '@drover/api';
import { useEffect, useRef, useState } from 'react';
import { useFleet } from '../../client/hooks.ts';
import { Button } from '../../parts/button.tsx';
import { Empty, Loading } from '../../parts/notices.tsx';
import parts from '../../parts/parts.module.css';
import { StatusMark } from '../../parts/status-mark.tsx';
import { Text } from '../../parts/text.tsx';
import { WorkerFilter } from '../../parts/worker-filter.tsx';
import { ScreenRows } from '../worker/screen-rows.tsx';
import { useScreen } from '../worker/watch-pane.ts';
import { panesOf, readPanesSearch } from './panes-search.ts';
import css from './panes.module.css';

/** Columns that a tile shows at once: more are too small to read. */
const COLUMNS_MAX = 84;

export function PanesPage() {
  const fleet = useFleet();
  const search = readPanesSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  if (fleet.at === null) return <Loading what="the panes" />;
  const { workers, page, pages, count } = panesOf(fleet.workers.values(), search);
  const turn = (to: number): PanesTurn => ({ ...search, page: to });
  return (
    <>
      <div className={parts.bar}>
        <h1>
          {count} {count === 1 ? 'pane' : 'panes'}
        </h1>
        <div className={parts.row}>
          {pages === 1 ? null : (
            <nav className={parts.row} aria-label="Pages of panes">
              {page === 1 ? null : (
                <Link to="/panes" search={turn(page - 1)}>
                  Earlier
                </Link>
              )}
              <span>
                {page} of {pages}
              </span>
              {page === pages ? null : (
                <Link to="/panes" search={turn(page + 1)}>
                  Later
                </Link>
              )}
            </nav>
          )}
          <WorkerFilter
            value={search.q}
            onFilter={(q) => void navigate({ to: '/panes', search: readPanesSearch({ q }), replace: true })}
          />
        </div>
      </div>
      {workers.length === 0 ? (
        <Empty title="No worker with a pane holds these words">
          <Link to="/panes">To all panes</Link>
        </Empty>
      ) : null}
      <ul className={css.tiles}>
        {workers.map((worker) => (
          <li key={worker.id}>
            <Tile worker={worker} />
          </li>
        ))}
      </ul>
    </>
  );
}

type PanesTurn = ReturnType<typeof readPanesSearch>;

function Tile({ worker: { project, name, status, since, machineState } }: { readonly worker: WorkerView }) {
  const [round, setRound] = useState(0);
  const screen = useScreen(`${project}/${name}`, { round, isTile: true });
  const isOver = useRef(false);
  isOver.current = screen.kind === 'ended';
  // Another life of its pane may have begun.
  useEffect(() => {
    if (isOver.current) setRound((before) => before + 1);
  }, [status, since, machineState]);
  return (
    <section className={css.tile} aria-label={`The pane of ${showHidden(name)}`}>
      <h2 className={css.head}>
        <Link data-item="" to="/workers/$project/$name" params={{ project, name }} search={{ tab: 'pane' }}>
          <Text of={name} />
        </Link>
        <StatusMark status={status} isUnknown={machineState === 'disconnected'} />
      </h2>
      {screen.kind === 'connecting' ? <Loading what="the pane" /> : null}
      {screen.kind === 'ended' ? (
        <p className={css.ended}>
          <Text of={screen.message} /> <Button onClick={() => setRound(round + 1)}>Watch again</Button>
        </p>
      ) : null}
      {screen.kind === 'shown' ? <ScreenRows rows={screen.rows} layout="fit" columnsMax={COLUMNS_MAX} /> : null}
    </section>
  );
}
