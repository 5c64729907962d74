/** Shows one question at its own address: chats and mails lead here. */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { api, failureOf } from '../client/api.ts';
import { useFleet } from '../client/hooks.ts';
import { Empty, Failed, Loading } from '../parts/notices.tsx';
import { Text } from '../parts/text.tsx';
import css from './inbox/inbox.module.css';
import { QuestionCard } from './inbox/question-card.tsx';
import { useSent } from './inbox/use-sent.ts';

export function QuestionPage() {
  const { id } = useParams({ from: '/shell/q/$id' });
  const fleet = useFleet();
  const [sent, put] = useSent();
  const [answered] = [...sent.values()];
  const open = [...fleet.questions.values()].find((one) => one.id === id || one.shortId === id);
  const question = open ?? answered?.question;
  const isGone = question === undefined && fleet.at !== null;
  const past = useQuery({
    queryKey: ['question', id],
    queryFn: () => api.escalations.show.query({ id }),
    enabled: isGone,
  });
  if (question === undefined) {
    if (!isGone || past.isPending) return <Loading what="the question" />;
    if (past.isError && failureOf(past.error).code === null)
      return <Failed error={past.error} onRetry={() => void past.refetch()} />;
    return <Over question={past.data} />;
  }
  const { project } = question.context;
  const worker = [...fleet.workers.values()].find((one) => one.name === question.worker && one.project === project);
  return (
    <div className={css.page}>
      <h1>
        {open === undefined ? 'Answered' : 'A question'} of <Text of={question.worker} />
      </h1>
      <QuestionCard
        question={question}
        worker={worker}
        sent={sent.get(question.id) ?? null}
        onSent={(one) => put(question.id, one)}
        isOpen
      />
      <p>
        <Link to="/">Everything that waits for you</Link>
      </p>
    </div>
  );
}

type Past = Awaited<ReturnType<typeof api.escalations.show.query>>;

/** Says what became of a question that waits for nobody any more. */
function Over({ question }: { readonly question: Past | undefined }) {
  if (question === undefined)
    return (
      <Empty isPage title="There is no such question">
        <p>It is too long ago, or your token does not reach its project.</p>
        <Link to="/">Everything that waits for you</Link>
      </Empty>
    );
  const { title, worker, resolution, question: asked } = question;
  const label = asked.options.find(({ id }) => id === resolution?.option)?.label;
  return (
    <Empty isPage title="This question waits for nobody any more">
      <p>
        <Text of={`${worker}: ${title}`} />
      </p>
      <p>
        {resolution === null ? (
          'It was over before somebody answered.'
        ) : (
          <Text of={`${resolution.by} answered “${label ?? resolution.option}”.`} />
        )}
      </p>
      <Link to="/">Everything that waits for you</Link>
    </Empty>
  );
}
