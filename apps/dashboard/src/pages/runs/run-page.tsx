/** Shows one run: its stages with their items, a reason for every wait, what it asks, its result, findings and budget. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { RunView } from '@drover/api';
import { api, failureOf } from '../../client/api.ts';
import { newId } from '../../client/browser-adapter.ts';
import { useLack } from '../../client/lack.ts';
import { budgetWords } from '../../fleet/runs.ts';
import { Age } from '../../parts/age.tsx';
import { Button } from '../../parts/button.tsx';
import { CommandLine, Failed, Loading } from '../../parts/notices.tsx';
import parts from '../../parts/parts.module.css';
import { Text } from '../../parts/text.tsx';
import { Dialog } from '../../shell/dialog.tsx';
import { History } from './history.tsx';
import { RunMark } from './run-mark.tsx';
import { RunQuestion } from './run-question.tsx';
import { Findings, Items, Strip } from './stages.tsx';
import css from './runs.module.css';

/** Milliseconds between two looks at a run that goes on. */
const REFRESH_MS = 1_500;

export function RunPage() {
  const { id } = useParams({ from: '/shell/runs/$id' });
  const queries = useQueryClient();
  const shown = useQuery({
    queryKey: ['run', id],
    queryFn: () => api.runs.show.query({ id }),
    refetchInterval: ({ state }) => (state.data?.endedAt != null ? false : REFRESH_MS),
  });
  if (shown.isPending) return <Loading what="the run" />;
  if (shown.data === undefined) return <Failed error={shown.error} onRetry={() => void shown.refetch()} />;
  const run = shown.data;
  const put = (next: RunView): void => void queries.setQueryData(['run', id], next);
  return (
    <div className={css.page}>
      <Head run={run} onChanged={put} />
      {run.questions.map((question) => (
        <RunQuestion key={question.id} run={run} question={question} onChanged={put} />
      ))}
      <Strip stages={run.stages} asking={run.questions.map(({ item }) => item)} />
      <Result run={run} />
      <Findings stages={run.stages} />
      <Items stages={run.stages} project={run.project} />
      <History id={run.id} seq={run.seq} />
    </div>
  );
}

interface Props {
  readonly run: RunView;
  readonly onChanged: (run: RunView) => void;
}

function Head({ run, onChanged }: Props) {
  const { goal, flow, shortId, project, status, why, by, createdAt, endedAt, budget, questions } = run;
  return (
    <header className={css.head}>
      <div className={css.title}>
        <h1>
          <Text of={goal} />
        </h1>
        <p>
          <RunMark status={status} asks={questions.length > 0} words={why === '' ? status : `${status}: `} />{' '}
          <Text of={why} />
        </p>
        <p className={parts.dim}>
          <Text of={`${flow} · run ${shortId} · ${project}${by === null ? '' : ` · by ${by}`}`} /> · began{' '}
          <Age since={createdAt} /> ago
          {endedAt === null ? null : (
            <>
              , ended <Age since={endedAt} /> ago
            </>
          )}
        </p>
        <p className={parts.dim}>
          Budget: <Text of={budgetWords(budget).join(' · ')} />
        </p>
      </div>
      <Requests run={run} onChanged={onChanged} />
    </header>
  );
}

function Requests({ run: { id, shortId, status, endedAt }, onChanged }: Props) {
  const lack = useLack('operator');
  const [isStopping, setStopping] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const act = async (what: 'pause' | 'resume' | 'stop'): Promise<void> => {
    setStopping(false);
    try {
      onChanged(await api.runs.act.mutate({ id, act: what, requestId: newId() }));
      setProblem(null);
    } catch (error) {
      setProblem(failureOf(error).message);
    }
  };
  if (endedAt !== null) return status === 'finished' ? null : <CommandLine text={`drover run retry ${shortId}`} />;
  return (
    <div className={parts.row}>
      {problem === null ? null : (
        <span role="alert" className={css.trouble}>
          <Text of={problem} />
        </span>
      )}
      {status === 'paused' ? (
        <Button lack={lack} onClick={() => void act('resume')}>
          Go on
        </Button>
      ) : (
        <Button lack={lack} title="Nothing new begins" onClick={() => void act('pause')}>
          Pause
        </Button>
      )}
      <Button tone="danger" lack={lack} onClick={() => setStopping(true)}>
        Stop the run
      </Button>
      {isStopping ? (
        <Dialog title={`Stop the run ${shortId}?`} onClose={() => setStopping(false)}>
          <p>Its workers hand back what they have, and nothing is merged. It can be tried again from any stage.</p>
          <div className={parts.row}>
            <Button tone="danger" onClick={() => void act('stop')}>
              Stop it
            </Button>
            <Button onClick={() => setStopping(false)}>Let it run</Button>
          </div>
        </Dialog>
      ) : null}
    </div>
  );
}

function Result({ run: { merged, degradation, stages, endedAt } }: Pick<Props, 'run'>) {
  const reports = stages.flatMap(({ items }) => items.filter(({ report }) => report !== ''));
  const isCut = degradation.level !== 'full';
  if (merged === null && !isCut && reports.length === 0) return null;
  return (
    <section className={css.box} aria-label="Result">
      <h2>{endedAt === null ? 'Result so far' : 'Result'}</h2>
      {merged === null ? null : (
        <p>
          ✓ Merged as <code>{merged.slice(0, 12)}</code>
        </p>
      )}
      {isCut ? (
        <p className={css.words}>
          <Text of={degradation.summary} />
        </p>
      ) : null}
      {reports.map(({ name, report }) => (
        <details key={name}>
          <summary>
            Report of <Text of={name} />
          </summary>
          <pre className={parts.block} tabIndex={0}>
            <Text of={report} />
          </pre>
        </details>
      ))}
    </section>
  );
}
