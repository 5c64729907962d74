/** Shows a question to people, takes the answer, and follows it until the agent went on. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { EscalationView, WorkerView } from '@drover/api';
import { api, failureOf } from '../../client/api.ts';
import { later, newId } from '../../client/browser-adapter.ts';
import { useDraft } from '../../client/drafts.ts';
import { timeNow, useFleet, useSeconds } from '../../client/hooks.ts';
import { useLack } from '../../client/lack.ts';
import { stepOf } from '../../fleet/answer.ts';
import type { AnswerStep } from '../../fleet/answer.ts';
import { Button } from '../../parts/button.tsx';
import { CommandLine } from '../../parts/notices.tsx';
import parts from '../../parts/parts.module.css';
import { Text } from '../../parts/text.tsx';
import { CardFrame } from './card-frame.tsx';
import css from './inbox.module.css';
import type { Sent } from './use-sent.ts';

interface Props {
  readonly question: EscalationView;
  readonly worker: WorkerView | undefined;
  readonly sent: Sent | null;
  readonly onSent: (sent: Sent | null) => void;
  /** True where the card is the page: its screen is shown at once. */
  readonly isOpen?: boolean | undefined;
}

type Option = EscalationView['question']['options'][number];

/** Milliseconds between two looks at an answer that is on its way. */
const REFRESH_MS = 700;
/** Milliseconds that an answer stays after its agent went on: long enough to be seen. */
const SHOWN_MS = 4_000;
/** Lines of the screen that a card shows. */
const LINES_MAX = 14;

export function QuestionCard({ question, worker, sent, onSent, isOpen = false }: Props) {
  const others = question.workers.filter(({ over }) => !over).length - 1;
  const { run, project, machine } = question.context;
  const where = run === undefined ? (worker?.machine ?? machine) : project;
  const title =
    run !== undefined ? (
      <Link to="/runs/$id" params={{ id: run.id }}>
        <Text of={`${question.worker}: ${question.title}`} />
      </Link>
    ) : (
      <>
        {worker === undefined ? (
          <b>
            <Text of={question.worker} />
          </b>
        ) : (
          <Link to="/workers/$project/$name" params={{ project: worker.project, name: worker.name }}>
            <Text of={question.worker} />
          </Link>
        )}
        {others > 0 ? ` and ${others} more` : ''}
        {question.title.startsWith('asks') ? ' ' : ': '}
        <Text of={question.title} />
      </>
    );
  const { questions } = useFleet();
  const isAsked =
    sent === null ||
    sent.question.asked < question.asked ||
    (sent.fate.kind === 'refused' && questions.has(question.id));
  return (
    <CardFrame
      tone={worker?.status === 'error' || question.severity === 'critical' ? 'red' : 'amber'}
      title={title}
      where={where}
      since={question.createdAt}
    >
      {sent === null ? null : <Progress sent={sent} onOver={() => onSent(null)} />}
      {isAsked ? <Ask question={question} worker={worker} onSent={onSent} isOpen={isOpen} /> : null}
    </CardFrame>
  );
}

function Ask({ question, worker, onSent, isOpen }: Omit<Props, 'sent'>) {
  const [words, write] = useDraft(`answer ${question.id}`);
  const [writing, setWriting] = useState<Option | null>(null);
  const lack = useLack(question.mayAnswer);
  const { options } = question.question;
  const { run } = question.context;
  const answer = async (option: Option): Promise<void> => {
    if (option.needsText && writing?.id !== option.id) return setWriting(option);
    const sent = { question, before: worker, label: option.label, at: timeNow() };
    onSent({ ...sent, fate: { kind: 'sending' } });
    const text = option.needsText ? { text: words } : {};
    const input = { requestId: newId(), id: question.id, option: option.id, asked: question.asked, ...text };
    try {
      const accepted = await api.escalations.resolve.mutate(input);
      write('');
      onSent({ ...sent, question: accepted, fate: { kind: 'accepted' } });
    } catch (error) {
      // The live rows show what is asked now, if it is another question.
      onSent({ ...sent, fate: { kind: 'refused', message: failureOf(error).message } });
    }
    return undefined;
  };
  return (
    <>
      {question.body === '' ? null : (
        <p className={css.body}>
          <Text of={question.body} />
        </p>
      )}
      <Screen question={question} isOpen={isOpen} />
      <div className={css.options}>
        {options.map((option, at) => (
          <Button key={option.id} data-option="" lack={lack} onClick={() => void answer(option)}>
            {at < 9 ? <kbd className={css.number}>{at + 1}</kbd> : null}
            <Text of={option.label} />
          </Button>
        ))}
        {run === undefined ? null : (
          <Link className={parts.button ?? ''} to="/runs/$id" params={{ id: run.id }}>
            {run.about === 'gate' ? 'Open and edit' : 'Open'}
          </Link>
        )}
        {options.length === 0 ? <CommandLine text={`drover attach ${question.worker}`} /> : null}
        <Acknowledge question={question} />
      </div>
      {writing === null ? null : (
        <form
          className={css.words}
          onSubmit={(event) => {
            event.preventDefault();
            void answer(writing);
          }}
        >
          <label>
            <Text of={writing.label} />
            <textarea autoFocus required value={words} onChange={({ target }) => write(target.value)} />
          </label>
          <Button type="submit" tone="primary" lack={lack}>
            Send
          </Button>
        </form>
      )}
    </>
  );
}

function Screen({ question, isOpen }: Pick<Props, 'question' | 'isOpen'>) {
  const { pane } = question.context;
  const lines = pane.slice(-LINES_MAX).join('\n').trimEnd();
  if (lines.trim() === '') return null;
  return (
    <details className={css.screen} open={isOpen}>
      <summary>The screen</summary>
      <pre className={parts.block} tabIndex={0}>
        <Text of={lines} />
      </pre>
    </details>
  );
}

/** Tells others that somebody looks; it stops the calls. */
function Acknowledge({ question }: { readonly question: EscalationView }) {
  const lack = useLack('responder');
  const [problem, setProblem] = useState<string | null>(null);
  if (question.ackedBy !== null)
    return (
      <span className={css.aside}>
        <Text of={question.ackedBy} /> looks at it
      </span>
    );
  const acknowledge = async (): Promise<void> => {
    await api.escalations.ack
      .mutate({ id: question.id, requestId: newId() })
      .catch((error: unknown) => setProblem(failureOf(error).message));
  };
  return (
    <Button
      tone="quiet"
      data-key="a"
      lack={lack}
      title={problem ?? 'Tells the others that you look; the question stays open'}
      onClick={() => void acknowledge()}
    >
      {problem === null ? 'I look at it' : 'Not noted: try again'}
    </Button>
  );
}

/** Accepted, typed, went on: nothing is said before it is so. */
function Progress({ sent, onOver }: { readonly sent: Sent; readonly onOver: () => void }) {
  const { fate, label } = sent;
  if (fate.kind === 'accepted') return <Followed sent={sent} onOver={onOver} />;
  if (fate.kind === 'refused')
    return (
      <div className={`${css.progress} ${parts.alert}`} role="alert">
        <p>
          “<Text of={label} />” was not taken: <Text of={fate.message} />
        </p>
        <Button tone="quiet" onClick={onOver}>
          Close
        </Button>
      </div>
    );
  return (
    <div className={parts.block} role="status">
      <Steps label={label} place={-1} />
    </div>
  );
}

function Followed({ sent, onOver }: { readonly sent: Sent; readonly onOver: () => void }) {
  const { workers, questions } = useFleet();
  const { question, before, label, at } = sent;
  const now = useSeconds();
  const shown = useQuery({
    queryKey: ['answer', question.id],
    queryFn: () => api.escalations.show.query({ id: question.id }),
    refetchInterval: REFRESH_MS,
    initialData: undefined,
  });
  const worker = before === undefined ? undefined : workers.get(before.id);
  const step = stepOf({
    question: shown.data ?? question,
    worker,
    before,
    asksAnew: [...questions.values()].some(
      (one) => one.worker === question.worker && one.context.project === question.context.project && one.createdAt > at,
    ),
    answeredAt: at,
    now: Math.max(now, timeNow()),
  });
  const isOver = step.kind === 'went-on';
  const isStuck = step.kind === 'stuck' || step.kind === 'not-typed';
  useEffect(() => (isOver ? later(SHOWN_MS, onOver) : undefined), [isOver, onOver]);
  return (
    <div className={`${css.progress} ${isStuck ? parts.alert : parts.block}`} role="status">
      <Steps label={label} place={placeOf(step)} />
      {step.kind === 'not-typed' ? <p>{step.message}</p> : null}
      {step.kind === 'stuck' ? (
        <p>
          Its screen has not moved since. Open the worker and look, or type{' '}
          <CommandLine text={`drover attach ${question.worker}`} />
        </p>
      ) : null}
      {isStuck ? (
        <Button tone="quiet" onClick={onOver}>
          Close
        </Button>
      ) : null}
    </div>
  );
}

/** @param place Number of the last step that is done, from 0; -1: none. */
function Steps({ label, place }: { readonly label: string; readonly place: number }) {
  return (
    <p>
      “<Text of={label} />
      ”:{' '}
      {STEPS.map((name, at) => (
        <span key={name} className={at <= place ? css.done : css.ahead}>
          {at > 0 ? ' → ' : ''}
          {at <= place ? '✓ ' : ''}
          {name}
        </span>
      ))}
    </p>
  );
}

const STEPS = ['accepted', 'typed', 'went on'] as const;

function placeOf({ kind }: AnswerStep): number {
  return { accepted: 0, 'not-typed': 0, typed: 1, stuck: 1, 'went-on': 2 }[kind];
}
