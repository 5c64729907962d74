/** Lists runs, newest first: state, reason, stage and age. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { RunLine } from '@drover/api';
import { api } from '../../client/api.ts';
import { useLack } from '../../client/lack.ts';
import { Age } from '../../parts/age.tsx';
import { Button } from '../../parts/button.tsx';
import { CommandLine, Empty, Failed, Loading } from '../../parts/notices.tsx';
import parts from '../../parts/parts.module.css';
import { Text } from '../../parts/text.tsx';
import { NewRun } from './new-run.tsx';
import { RunMark } from './run-mark.tsx';
import css from './runs.module.css';

/** Milliseconds between two looks. */
const REFRESH_MS = 3_000;
const RUNS_MAX = 200;

export function RunsPage() {
  const [all, setAll] = useState(true);
  const [isStarting, setStarting] = useState(false);
  const lack = useLack('operator');
  const runs = useQuery({
    queryKey: ['runs', all],
    queryFn: () => api.runs.list.query({ all, limit: RUNS_MAX }),
    refetchInterval: REFRESH_MS,
  });
  if (runs.isPending) return <Loading what="the runs" />;
  if (runs.data === undefined) return <Failed error={runs.error} onRetry={() => void runs.refetch()} />;
  const open = runs.data.filter(({ endedAt }) => endedAt === null).length;
  return (
    <>
      <div className={css.head}>
        <h1>{open === 0 ? 'No run is open' : `${open} open ${open === 1 ? 'run' : 'runs'}`}</h1>
        <div className={parts.row}>
          <label className={parts.check}>
            <input type="checkbox" checked={all} onChange={({ target }) => setAll(target.checked)} />
            Also ended ones
          </label>
          <Button tone="primary" lack={lack} onClick={() => setStarting(true)}>
            Start a run
          </Button>
        </div>
      </div>
      {runs.data.length === 0 ? (
        <Empty title="There are no runs here">
          <p>
            A run carries one goal through stages: agents build and review it, and you accept it. Start one above, or
            type:
          </p>
          <CommandLine text={'drover run change "Add a --version flag"'} />
        </Empty>
      ) : (
        <ul className={css.list}>
          {runs.data.map((run) => (
            <Row key={run.id} run={run} />
          ))}
        </ul>
      )}
      {isStarting ? <NewRun onClose={() => setStarting(false)} /> : null}
    </>
  );
}

function Row({
  run: { id, shortId, flow, goal, status, why, stage, project, createdAt, endedAt },
}: {
  readonly run: RunLine;
}) {
  return (
    <li>
      <Link data-item="" to="/runs/$id" params={{ id }}>
        <span>
          <RunMark status={status} asks={status === 'waiting' && endedAt === null} />
        </span>
        <span className={css.goal}>
          <b>
            <Text of={goal} />
          </b>
          <span className={parts.dim}>
            <Text of={[stage === null ? '' : `at ${stage}`, why].filter((words) => words !== '').join(': ')} />
          </span>
        </span>
        <span className={parts.dim}>
          <Text of={`${flow} · ${shortId} · ${project}`} /> · <Age since={createdAt} />
        </span>
      </Link>
    </li>
  );
}
