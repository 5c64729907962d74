/** Shows what a run asks, with its plan, and takes the answer. A yes is bound to the question, which names one plan or commit. */
import { useState } from 'react';
import type { RunView } from '@drover/api';
import { api, failureOf } from '../../client/api.ts';
import { newId } from '../../client/browser-adapter.ts';
import { useDraft } from '../../client/drafts.ts';
import { useFleet } from '../../client/hooks.ts';
import { useLack } from '../../client/lack.ts';
import type { Part } from '../../fleet/runs.ts';
import { Button } from '../../parts/button.tsx';
import { CommandLine } from '../../parts/notices.tsx';
import parts from '../../parts/parts.module.css';
import { Text } from '../../parts/text.tsx';
import { PlanForm } from './plan-form.tsx';
import css from './runs.module.css';

interface Props {
  readonly run: RunView;
  readonly question: RunView['questions'][number];
  readonly onChanged: (run: RunView) => void;
}

const LABELS: Readonly<Record<string, string>> = {
  start: 'Start',
  edit: 'Edit',
  revise: 'Revise…',
  stop: 'Stop',
  accept: 'Accept',
  reply: 'Answer…',
  raise: 'Raise',
  today: 'Go on today',
};

export function RunQuestion({ run: { id, shortId }, question, onChanged }: Props) {
  const { questions } = useFleet();
  const asked = [...questions.values()].find(
    ({ context }) => context.run?.id === id && context.run.question === question.id,
  );
  const lack = useLack(asked?.mayAnswer ?? 'operator');
  const [words, write] = useDraft(`revise ${id} ${question.id}`);
  const [form, setForm] = useState<'edit' | 'revise' | 'reply' | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const send = async (option: string, more: { words?: string; parts?: Part[] } = {}): Promise<void> => {
    setSending(true);
    try {
      const next = await api.runs.answer.mutate({ requestId: newId(), id, question: question.id, option, ...more });
      write('');
      setProblem(null);
      setForm(null);
      onChanged(next);
    } catch (error) {
      setProblem(failureOf(error).message);
    } finally {
      setSending(false);
    }
  };
  const cannot = lack ?? (isSending ? 'Your answer is on its way' : null);
  const answer = (option: string): void => {
    if (option === 'edit' || option === 'revise' || option === 'reply') setForm(option);
    else void send(option);
  };
  return (
    <section className={css.question} aria-label="What the run asks">
      <h2 className={css.words}>
        <Text of={question.text} />
      </h2>
      {question.commit === null ? null : (
        <p>
          Commit <code>{question.commit.slice(0, 12)}</code>
        </p>
      )}
      {question.report === '' ? null : (
        <pre className={parts.block} tabIndex={0}>
          <Text of={question.report} />
        </pre>
      )}
      {form === 'edit' ? null : <Plan plan={question.parts ?? []} after={question.after} />}
      {problem === null ? null : (
        <p className={parts.failed} role="alert">
          <Text of={problem} />
        </p>
      )}
      {form === 'edit' ? (
        <PlanForm
          name={`${id} ${question.id}`}
          plan={question.parts ?? []}
          lack={cannot}
          onSave={(edited) => void send('edit', { parts: edited })}
          onCancel={() => setForm(null)}
        />
      ) : (
        <div className={parts.row}>
          {question.options.map(({ option, text }, at) => (
            <Button
              key={option}
              tone={at === 0 ? 'primary' : option === 'stop' ? 'danger' : 'plain'}
              lack={cannot}
              title={text}
              onClick={() => answer(option)}
            >
              <Text of={nameOf(option, question.commit)} />
            </Button>
          ))}
          <CommandLine text={`drover answer ${shortId} ${question.options[0]?.option ?? ''}`} />
        </div>
      )}
      {form === 'revise' || form === 'reply' ? (
        <form
          className={parts.dialogForm}
          onSubmit={(event) => {
            event.preventDefault();
            void send(form, { words });
          }}
        >
          <label className={parts.field}>
            <span>{form === 'reply' ? 'Your answer' : 'What is to change'}</span>
            <textarea required autoFocus value={words} onChange={({ target }) => write(target.value)} />
          </label>
          <div className={parts.row}>
            <Button type="submit" tone="primary" lack={cannot}>
              {form === 'reply' ? 'Answer' : 'Send back'}
            </Button>
            <Button onClick={() => setForm(null)}>Cancel</Button>
          </div>
        </form>
      ) : null}
    </section>
  );
}

function nameOf(option: string, commit: string | null): string {
  if (option === 'accept' && commit !== null) return `Accept ${commit.slice(0, 7)}`;
  return LABELS[option] ?? option;
}

interface PlanProps {
  readonly plan: readonly Part[];
  readonly after: Props['question']['after'];
}

function Plan({ plan, after }: PlanProps) {
  if (plan.length === 0) return null;
  const later = after.flatMap((before, at) => (before === null ? [] : [`${at + 1} after ${before + 1}`]));
  return (
    <>
      <ol className={css.plan}>
        {plan.map(({ title, prompt, paths, check }, at) => (
          // A plan may name two parts alike; it is replaced as a whole.
          <li key={`${at} ${title}`}>
            <details>
              <summary>
                <b>
                  <Text of={title} />
                </b>{' '}
                <span className={parts.dim}>
                  <Text of={paths.join(', ')} />
                </span>
              </summary>
              <pre className={parts.block} tabIndex={0}>
                <Text of={[prompt, ...(check ?? []).map((line) => `check: ${line}`)].join('\n')} />
              </pre>
            </details>
          </li>
        ))}
      </ol>
      {later.length === 0 ? null : (
        <p className={css.trouble}>Some parts touch the same paths, and are built in turn: {later.join(', ')}.</p>
      )}
    </>
  );
}
