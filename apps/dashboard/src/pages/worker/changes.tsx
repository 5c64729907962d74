/** Shows the files that a worker has changed: those without a commit, and the way to the review. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { WorkerView } from '@drover/api';
import { api } from '../../client/api.ts';
import { Failed, Loading } from '../../parts/notices.tsx';
import parts from '../../parts/parts.module.css';
import { Text } from '../../parts/text.tsx';
import css from './worker.module.css';

export function Changes({ worker, reference }: { readonly worker: WorkerView; readonly reference: string }) {
  const { project, name, status, commit } = worker;
  const pane = useQuery({
    queryKey: ['git', worker.id],
    queryFn: () => api.workers.pane.query({ name: reference, lines: 1, git: true }),
    refetchInterval: 10_000,
  });
  if (pane.isPending) return <Loading what="its files" />;
  if (pane.isError) return <Failed error={pane.error} onRetry={() => void pane.refetch()} />;
  return (
    <section className={css.changes} aria-label="Changes">
      {status === 'needs_review' ? (
        <p>
          Its work is committed:{' '}
          <Link to="/review/$project/$name" params={{ project, name }}>
            review it
          </Link>
        </p>
      ) : (
        <p className={parts.dim}>
          {commit === null ? 'Nothing is committed yet.' : `Its last commit is ${commit.slice(0, 7)}; it works on.`}
        </p>
      )}
      <h2>What git says of its worktree</h2>
      <pre className={parts.block} tabIndex={0}>
        <Text of={pane.data.git.length === 0 ? 'Every file is as in its last commit.' : pane.data.git.join('\n')} />
      </pre>
    </section>
  );
}
