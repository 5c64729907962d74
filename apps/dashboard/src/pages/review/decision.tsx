/** Takes the decision on the work that was read: accepts exactly its commit, or sends it back with words and comments. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { AcceptFate, ReviewView, WorkerView } from '@drover/api';
import { api, failureOf } from '../../client/api.ts';
import { newId, sleep } from '../../client/browser-adapter.ts';
import { useDraft } from '../../client/drafts.ts';
import { timeNow } from '../../client/hooks.ts';
import { useLack } from '../../client/lack.ts';
import { reasonOf } from '../../fleet/text.ts';
import { Button } from '../../parts/button.tsx';
import parts from '../../parts/parts.module.css';
import { Text } from '../../parts/text.tsx';
import { Dialog } from '../../shell/dialog.tsx';
import type { LineComment } from './comments.ts';
import css from './review.module.css';

interface Props {
  readonly review: ReviewView;
  readonly worker: WorkerView | undefined;
  readonly comments: readonly LineComment[];
  /** Reason why it cannot be accepted; null: it can. */
  readonly lack: string | null;
  readonly onRejected: () => void;
}

type State =
  | { readonly kind: 'open'; readonly problem: string | null }
  | { readonly kind: 'accepted'; readonly requestId: string }
  | { readonly kind: 'rejected'; readonly at: number };

/** Milliseconds that the coordinator holds a question for the end of a merge. */
const WAIT_MS = 20_000;
const RETRY_MS = 2_000;

export function Decision({ review, worker, comments, lack, onRejected }: Props) {
  const [state, setState] = useState<State>({ kind: 'open', problem: null });
  const [isRejecting, setRejecting] = useState(false);
  const [words, write] = useDraft(`reject ${review.worker.id}`);
  const notAllowed = useLack('operator');
  const name = `${review.worker.project}/${review.worker.name}`;
  const accept = async (): Promise<void> => {
    const requestId = newId();
    try {
      await api.workers.accept.mutate({ requestId, name, head: review.head });
      setState({ kind: 'accepted', requestId });
    } catch (error) {
      setState({ kind: 'open', problem: failureOf(error).message });
    }
  };
  const reject = async (): Promise<void> => {
    const text = words.trim() === '' ? {} : { text: words };
    try {
      const at = timeNow();
      await api.workers.reject.mutate({ requestId: newId(), name, ...text, comments: [...comments] });
      write('');
      onRejected();
      setState({ kind: 'rejected', at });
    } catch (error) {
      setState({ kind: 'open', problem: failureOf(error).message });
    }
    setRejecting(false);
  };
  const isEmpty = words.trim() === '' && comments.length === 0;
  return (
    <footer className={css.decision}>
      {state.kind === 'accepted' ? <Fate requestId={state.requestId} worker={worker} /> : null}
      {state.kind === 'rejected' ? <Receipt name={name} at={state.at} /> : null}
      {state.kind === 'open' ? (
        <>
          {state.problem === null ? null : (
            <p className={`${parts.alert} ${css.warning}`} role="alert">
              <Text of={state.problem} />
            </p>
          )}
          <label className={css.words}>
            <span className="only-spoken">Words for the agent</span>
            <textarea
              rows={2}
              placeholder="Words for the agent, if the work is sent back"
              value={words}
              onChange={({ target }) => write(target.value)}
            />
          </label>
          <div className={parts.row}>
            <Button tone="primary" data-key="A" lack={notAllowed ?? lack} onClick={() => void accept()}>
              Accept {review.head.slice(0, 7)}
            </Button>
            <Button
              tone="danger"
              data-key="R"
              lack={notAllowed ?? (isEmpty ? 'Say what is to be done, or comment on a line' : null)}
              onClick={() => setRejecting(true)}
            >
              Send back
              {comments.length === 0
                ? ''
                : ` with ${comments.length} ${comments.length === 1 ? 'comment' : 'comments'}`}
            </Button>
          </div>
        </>
      ) : null}
      {isRejecting ? (
        <Dialog title="Send this back?" onClose={() => setRejecting(false)}>
          <pre className={parts.block}>
            <Text of={preview(words, comments)} />
          </pre>
          <div className={parts.row}>
            <Button tone="danger" onClick={() => void reject()}>
              Send back
            </Button>
            <Button onClick={() => setRejecting(false)}>Write on</Button>
          </div>
        </Dialog>
      ) : null}
    </footer>
  );
}

/** Follows what was sent back until the agent has it. */
function Receipt({ name, at }: { readonly name: string; readonly at: number }) {
  const why = useQuery({
    queryKey: ['receipts', name, at],
    queryFn: () => api.workers.why.query({ name, limit: 1 }),
    refetchInterval: RETRY_MS,
  });
  const receipt = why.data?.receipts.find((one) => one.at >= at);
  return (
    <p role="status">
      ✓ Sent back → <Text of={receipt?.outcome ?? 'Drover types it when the screen invites it'} />.{' '}
      <Link to="/review">Next review</Link>
    </p>
  );
}

function preview(words: string, comments: readonly LineComment[]): string {
  const said = comments.map(
    ({ path, line, side, from, text }) =>
      `${path}:${from === undefined ? '' : `${from}-`}${line}${side === 'before' ? ' (before)' : ''}\n  ${text}`,
  );
  return [...(words.trim() === '' ? [] : [words.trim()]), ...said].join('\n\n');
}

/** Follows accepted work to its end. */
function Fate({ requestId, worker }: { readonly requestId: string; readonly worker: WorkerView | undefined }) {
  const [fate, setFate] = useState<AcceptFate | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    void followAccept(requestId, setFate, stop.signal);
    return () => stop.abort();
  }, [requestId]);
  if (fate?.kind === 'ended')
    return (
      <p role="status" className={fate.how === 'stopped' ? `${parts.alert} ${css.warning}` : css.passed}>
        {fate.how === 'stopped' ? '■ Not merged: ' : fate.how === 'merged' ? '✓ Merged. ' : '✓ Handed over. '}
        <Text of={fate.why} /> <Link to="/review">Next review</Link>
      </p>
    );
  return (
    <p role="status">
      ✓ Accepted → <Text of={worker === undefined ? 'it is being merged' : reasonOf(worker)} />…
    </p>
  );
}

/** Tells each step of a merge, until its end. */
async function followAccept(requestId: string, tell: (fate: AcceptFate) => void, signal: AbortSignal): Promise<void> {
  let known: { readonly after?: number; readonly heldUp: string | null } = { heldUp: null };
  while (!signal.aborted) {
    const fate = await api.workers.awaitAccept
      .query({ requestId, waitMs: WAIT_MS, ...known }, { signal })
      .catch(() => null);
    if (fate === null) await sleep(RETRY_MS);
    else {
      tell(fate);
      if (fate.kind === 'ended') return;
      known = { after: fate.after, heldUp: fate.worker.heldUp };
    }
  }
}
