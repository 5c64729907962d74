/** Sends words to a worker's agent, and shows the receipt of their typing. */
import { useState } from 'react';
import type { WhyView, WorkerView } from '@drover/api';
import { api, failureOf } from '../../client/api.ts';
import { newId } from '../../client/browser-adapter.ts';
import { useDraft } from '../../client/drafts.ts';
import { timeNow } from '../../client/hooks.ts';
import { useLack } from '../../client/lack.ts';
import { Button } from '../../parts/button.tsx';
import parts from '../../parts/parts.module.css';
import { Text } from '../../parts/text.tsx';
import css from './worker.module.css';

interface Props {
  readonly worker: WorkerView;
  readonly reference: string;
  readonly receipts: WhyView['receipts'];
  readonly onSent: () => void;
}

type State =
  | { readonly kind: 'writing'; readonly problem: string | null }
  | { readonly kind: 'sent'; readonly at: number; readonly note: string | undefined };

export function Message({ worker, reference, receipts, onSent }: Props) {
  const [words, write] = useDraft(`message ${worker.id}`);
  const [state, setState] = useState<State>({ kind: 'writing', problem: null });
  const [requestId, setRequestId] = useState(newId);
  const lack = useLack('operator');
  const send = async (): Promise<void> => {
    const at = timeNow();
    try {
      const { note } = await api.workers.message.mutate({ requestId, name: reference, text: words });
      write('');
      setRequestId(newId());
      setState({ kind: 'sent', at, note });
      onSent();
    } catch (error) {
      const { code, message } = failureOf(error);
      if (code !== null) setRequestId(newId());
      setState({ kind: 'writing', problem: message });
    }
  };
  return (
    <form
      className={css.message}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <label htmlFor="message">Message to the agent</label>
      <textarea
        id="message"
        data-key="m"
        required
        placeholder="Drover types it when the screen invites it"
        value={words}
        onChange={({ target }) => write(target.value)}
      />
      <div className={css.messageEnd}>
        <Button type="submit" tone="primary" lack={lack}>
          Send
        </Button>
        <span role="status">{state.kind === 'sent' ? <Fate state={state} receipts={receipts} /> : null}</span>
      </div>
      {state.kind === 'writing' && state.problem !== null ? (
        <p className={parts.alert} role="alert">
          <Text of={state.problem} />
        </p>
      ) : null}
    </form>
  );
}

function Fate({
  state,
  receipts,
}: {
  readonly state: Extract<State, { kind: 'sent' }>;
  readonly receipts: Props['receipts'];
}) {
  const receipt = receipts.find(({ at }) => at >= state.at);
  if (receipt === undefined) return <Text of={state.note ?? '✓ accepted; it is typed when the screen invites it'} />;
  return (
    <>
      ✓ accepted → <Text of={receipt.outcome} />
    </>
  );
}
