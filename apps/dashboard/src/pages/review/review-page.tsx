/** Shows the work of one worker for review: what git and the checks say of it, its files, and the decision on exactly this commit. */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import type { ReviewView, WorkerView } from '@drover/api';
import { api } from '../../client/api.ts';
import { useDraft } from '../../client/drafts.ts';
import { useFleet } from '../../client/hooks.ts';
import { Button } from '../../parts/button.tsx';
import { Empty, Failed, Loading } from '../../parts/notices.tsx';
import parts from '../../parts/parts.module.css';
import { Text } from '../../parts/text.tsx';
import { Asked } from './asked.tsx';
import { readComments, withComment } from './comments.ts';
import { Decision } from './decision.tsx';
import { closedBecause, readDiff } from './diff-files.ts';
import type { DiffFile } from './diff-files.ts';
import { DRAWN_LINES_MAX } from './diff-rows.tsx';
import { FileDiff } from './file-diff.tsx';
import { FindInDiff } from './find-in-diff.tsx';
import type { Hit } from './find-in-diff.tsx';
import { Notes } from './notes.tsx';
import css from './review.module.css';
import { isViewed, readMemory, readViewed, remember, seenOf, sinceSeen, withViewed } from './seen.ts';

export function ReviewPage() {
  const { project, name } = useParams({ from: '/shell/review/$project/$name' });
  const fleet = useFleet();
  const worker = [...fleet.workers.values()].find((one) => one.name === name && one.project === project);
  const review = useQuery({
    queryKey: ['review', project, name],
    queryFn: () => api.workers.review.mutate({ name: `${project}/${name}` }),
    // Loaded once: what a person reads changes only when they ask for it.
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  if (review.isPending) return <Loading what="the work" />;
  if (review.isError)
    return (
      <Empty isPage title={`The work of ${name} cannot be reviewed now`}>
        <Failed error={review.error} onRetry={() => void review.refetch()} />
        <Link to="/review">To all reviews</Link>
      </Empty>
    );
  return <Whole key={review.data.head} review={review.data} worker={worker} onAgain={() => void review.refetch()} />;
}

interface Props {
  readonly review: ReviewView;
  /** The worker as it is now; undefined: it was removed meanwhile. */
  readonly worker: WorkerView | undefined;
  readonly onAgain: () => void;
}

function Whole({ review, worker, onAgain }: Props) {
  const { head, base, commits, diff } = review;
  const { id, project, name } = review.worker;
  const { files, isCut } = useMemo(() => readDiff(diff), [diff]);
  const [kept, keepComments] = useDraft(`comments ${id} ${head}`);
  const comments = useMemo(() => readComments(kept), [kept]);
  const [asked, keepAsked] = useDraft(`asked ${id}`);
  const askedBefore = useMemo(() => readComments(asked), [asked]);
  const [keptViewed, keepViewed] = useDraft(`viewed ${id}`);
  const viewed = useMemo(() => readViewed(keptViewed), [keptViewed]);
  const since = useSeen(id, head, files);
  const [hit, setHit] = useState<Hit | null>(null);
  const lineCount = files.reduce((sum, { lines }) => sum + lines.length, 0);
  const commit = worker?.commit ?? head;
  const hasMoved = worker !== undefined && worker.status === 'needs_review' && !isSame(commit, head);
  const opened = openFiles(files);
  return (
    <>
      <header className={css.head}>
        <div>
          <h1>
            Review of{' '}
            <Link to="/workers/$project/$name" params={{ project, name }}>
              <Text of={name} />
            </Link>
          </h1>
          <p className={parts.dim}>
            <code>{head.slice(0, 10)}</code> against <code>{base.slice(0, 10)}</code> · {commits.length}{' '}
            {commits.length === 1 ? 'commit' : 'commits'} · {files.length} {files.length === 1 ? 'file' : 'files'}
          </p>
        </div>
      </header>
      {hasMoved ? (
        <p className={`${parts.alert} ${css.warning}`} role="alert">
          The work has changed since you loaded it, so it cannot be accepted from here.{' '}
          <Button onClick={onAgain}>Load what is there now</Button>
        </p>
      ) : null}
      <ul className={css.commits} aria-label="Commits">
        {commits.map(({ commit: one, subject, author }) => (
          <li key={one}>
            <code>{one.slice(0, 7)}</code> <Text of={subject} />{' '}
            <span className={parts.dim}>
              <Text of={author} />
            </span>
          </li>
        ))}
      </ul>
      <Notes review={review} />
      {since !== null && askedBefore.length > 0 ? (
        <Asked comments={askedBefore} files={files} sinceOf={since.of} />
      ) : null}
      {since === null ? null : (
        <p className={parts.dim}>
          You looked at this work before: files that are as you saw them are closed.
          {since.gone.length === 0 ? '' : ' No longer changed: '}
          <Text of={since.gone.join(', ')} />
        </p>
      )}
      <nav aria-label="Files" className={css.files}>
        <ul>
          {files.map(({ path, added, removed }, at) => (
            <li key={path}>
              <a href={`#file-${at}`}>
                <Text of={path} />
              </a>
              <span className={css.plus}>+{added}</span>
              <span className={css.minus}>−{removed}</span>
            </li>
          ))}
        </ul>
      </nav>
      {isCut ? (
        <p className={`${parts.alert} ${css.warning}`}>
          The diff is longer than 512 KiB: it is cut here. “drover review {name}” shows the rest in its worktree.
        </p>
      ) : null}
      {lineCount > DRAWN_LINES_MAX ? <FindInDiff files={files} onHit={setHit} /> : null}
      {files.map((file, at) => (
        <FileDiff
          key={file.path}
          id={`file-${at}`}
          file={file}
          closed={opened[at] ?? null}
          since={since?.of(file.path) ?? null}
          isViewed={isViewed(viewed, file)}
          onViewed={(is) => keepViewed(JSON.stringify(withViewed(viewed, file, is)))}
          hit={hit?.file === at ? hit.line : null}
          comments={comments}
          onComment={(comment) => keepComments(JSON.stringify(withComment(comments, comment)))}
        />
      ))}
      <Decision
        review={review}
        worker={worker}
        comments={comments}
        lack={hasMoved ? 'The work has changed since you loaded it: load it again' : null}
        onRejected={() => {
          keepAsked(kept);
          keepComments('');
        }}
      />
    </>
  );
}

/** Remembers that this state was shown. @returns null if nothing was seen before it. */
function useSeen(id: string, head: string, files: readonly DiffFile[]): ReturnType<typeof sinceSeen> {
  const [kept, keep] = useDraft(`seen ${id}`);
  const memory = useMemo(() => remember(readMemory(kept), seenOf(head, files)), [kept, head, files]);
  const text = JSON.stringify(memory);
  useEffect(() => {
    if (text !== kept) keep(text);
  });
  return useMemo(() => sinceSeen(memory), [memory]);
}

/** Says of each file why it is closed at first; null: it is open. */
function openFiles(files: readonly Parameters<typeof closedBecause>[0][]): readonly (string | null)[] {
  let lines = 0;
  return files.map((file) => {
    const reason = closedBecause(file, lines);
    if (reason === null) lines += file.lines.length;
    return reason;
  });
}

/** Compares names of commits, of which one may be shortened. */
function isSame(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one);
}
