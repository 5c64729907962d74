/** Shows one worker: its conversation, pane, changes and timeline, why it is so, and what a person can do with it. */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { WorkerView } from '@drover/api';
import { api, failureOf } from '../../client/api.ts';
import { newId } from '../../client/browser-adapter.ts';
import { useFleet } from '../../client/hooks.ts';
import { useLack } from '../../client/lack.ts';
import { reasonOf } from '../../fleet/text.ts';
import { Age } from '../../parts/age.tsx';
import { Button } from '../../parts/button.tsx';
import { CommandLine, Empty, Failed, Loading } from '../../parts/notices.tsx';
import parts from '../../parts/parts.module.css';
import { StatusMark } from '../../parts/status-mark.tsx';
import { Text } from '../../parts/text.tsx';
import { Dialog } from '../../shell/dialog.tsx';
import { QuestionCard } from '../inbox/question-card.tsx';
import { useSent } from '../inbox/use-sent.ts';
import { Changes } from './changes.tsx';
import { Conversation } from './conversation.tsx';
import { Message } from './message.tsx';
import { Pane } from './pane.tsx';
import { readTab, TABS } from './tabs.ts';
import { Timeline } from './timeline.tsx';
import { Why } from './why.tsx';
import css from './worker.module.css';

/** Lines of history that the page asks for. */
const HISTORY = 100;
/** Milliseconds after which the reasons are asked for again: receipts come without a change of the worker's row. */
const ASK_EVERY_MS = 3_000;

export function WorkerPage() {
  const { project, name } = useParams({ from: '/shell/workers/$project/$name' });
  const fleet = useFleet();
  const worker = [...fleet.workers.values()].find((one) => one.name === name && one.project === project);
  if (fleet.at === null) return <Loading what="the worker" />;
  if (worker === undefined)
    return (
      <Empty isPage title={`There is no worker “${name}” in ${project}`}>
        <p>It was removed, or your token does not reach its project.</p>
        <Link to="/">To all workers</Link>
      </Empty>
    );
  return <Whole key={worker.id} worker={worker} />;
}

function Whole({ worker }: { readonly worker: WorkerView }) {
  const { project, name, status, since, machine, prompt, branch } = worker;
  const { tab = 'conversation' } = readTab(useSearch({ strict: false }));
  const reference = `${project}/${name}`;
  const why = useQuery({
    queryKey: ['why', worker.id, worker.status, worker.since],
    queryFn: () => api.workers.why.query({ name: reference, limit: HISTORY }),
    refetchInterval: ASK_EVERY_MS,
    placeholderData: (before) => before,
  });
  return (
    <>
      <header className={css.head}>
        <div>
          <h1>
            <Text of={name} />
          </h1>
          <p className={css.facts}>
            <StatusMark status={status} isUnknown={worker.machineState === 'disconnected'} />
            <span>
              since <Age since={since} />
            </span>
            <span>
              on <Text of={machine} />
            </span>
            <code>
              <Text of={branch} />
            </code>
          </p>
          <p className={css.reason}>
            <Text of={reasonOf(worker)} />
          </p>
        </div>
        <Requests worker={worker} reference={reference} />
      </header>
      {prompt === null ? null : (
        <details className={css.task}>
          <summary>The task</summary>
          <pre className={parts.block}>
            <Text of={prompt} />
          </pre>
        </details>
      )}
      <Asked worker={worker} />
      <div className={css.columns}>
        <div className={css.content}>
          <nav className={css.tabs} aria-label="Parts of the worker">
            {TABS.map((one) => (
              <Link
                key={one}
                to="/workers/$project/$name"
                params={{ project, name }}
                search={{ tab: one }}
                replace
                className={one === tab ? (css.chosen ?? '') : ''}
                aria-current={one === tab ? 'page' : undefined}
              >
                {TITLES[one]}
              </Link>
            ))}
          </nav>
          {tab === 'conversation' ? <Conversation reference={reference} isAtWork={status === 'working'} /> : null}
          {tab === 'pane' ? <Pane worker={reference} /> : null}
          {tab === 'changes' ? <Changes worker={worker} reference={reference} /> : null}
          {tab === 'timeline' ? <Timeline history={why.data?.history ?? []} /> : null}
        </div>
        <div className={css.side}>
          {why.isError && why.data === undefined ? <Failed error={why.error} /> : null}
          {why.data === undefined ? null : <Why why={why.data} />}
          <Message
            worker={worker}
            reference={reference}
            receipts={why.data?.receipts ?? []}
            onSent={() => void why.refetch()}
          />
        </div>
      </div>
    </>
  );
}

/** Shows the questions about the worker, and the answers that are on their way. */
function Asked({ worker }: { readonly worker: WorkerView }) {
  const { questions } = useFleet();
  const [sent, put] = useSent();
  const asked = [...questions.values()].filter(
    (question) => question.worker === worker.name && question.context.project === worker.project,
  );
  const answered = [...sent.values()].flatMap(({ question }) => (questions.has(question.id) ? [] : [question]));
  return [...asked, ...answered].map((question) => (
    <div key={question.id} className={css.asked}>
      <QuestionCard
        question={question}
        worker={worker}
        sent={sent.get(question.id) ?? null}
        onSent={(one) => put(question.id, one)}
      />
    </div>
  ));
}

const TITLES = { conversation: 'Conversation', pane: 'Pane', changes: 'Changes', timeline: 'Timeline' } as const;

interface RequestsProps {
  readonly worker: WorkerView;
  readonly reference: string;
}

function Requests({ worker: { project, name, status, prompt }, reference }: RequestsProps) {
  const [isCancelling, setCancelling] = useState(false);
  const lack = useLack('operator');
  return (
    <div className={parts.row}>
      {status === 'needs_review' ? (
        <Link className={`${parts.button} ${parts.primary}`} to="/review/$project/$name" params={{ project, name }}>
          Review
        </Link>
      ) : null}
      <CommandLine text={`drover attach ${name}`} />
      {prompt === null ? null : (
        <Button tone="danger" lack={lack} onClick={() => setCancelling(true)}>
          Cancel the task
        </Button>
      )}
      {isCancelling ? <Cancel reference={reference} onClose={() => setCancelling(false)} /> : null}
    </div>
  );
}

function Cancel({ reference, onClose }: { readonly reference: string; readonly onClose: () => void }) {
  const [requestId] = useState(newId);
  const [problem, setProblem] = useState<string | null>(null);
  const cancel = (): Promise<void> =>
    api.workers.cancel.mutate({ requestId, name: reference }).then(onClose, (error: unknown) => {
      setProblem(failureOf(error).message);
    });
  return (
    <Dialog title="Cancel the task?" onClose={onClose}>
      <p>Its agent stops. Its files are kept in a checkpoint, from which “drover worker recover” brings them back.</p>
      {problem === null ? null : (
        <p className={parts.alert} role="alert">
          <Text of={problem} />
        </p>
      )}
      <div className={parts.row}>
        <Button tone="danger" onClick={() => void cancel()}>
          Cancel the task
        </Button>
        <Button onClick={onClose}>Let it go on</Button>
      </div>
    </Dialog>
  );
}
