/** Sends what a form asks for, and draws the end of the form. */
import { useState } from 'react';
import { failureOf } from '../client/api.ts';
import { newId } from '../client/browser-adapter.ts';
import { useLack } from '../client/lack.ts';
import { Button } from './button.tsx';
import css from './parts.module.css';
import { Text } from './text.tsx';

/** Sends a request once: the same request again has the same id, so the coordinator does nothing twice. */
export function useSending(onDone: () => void) {
  const [requestId, setRequestId] = useState(newId);
  const [problem, setProblem] = useState<string | null>(null);
  const send = async (act: (requestId: string) => Promise<unknown>): Promise<void> => {
    try {
      await act(requestId);
      onDone();
    } catch (error) {
      const { code, message } = failureOf(error);
      setProblem(message);
      // A refusal is an answer; after no answer the same request is asked again.
      if (code !== null) setRequestId(newId());
    }
  };
  return { problem, send };
}

interface EndingProps {
  readonly onClose: () => void;
  readonly problem: string | null;
  readonly verb: string;
}

export function Ending({ problem, verb, onClose }: EndingProps) {
  const lack = useLack('operator');
  return (
    <>
      {problem === null ? null : (
        <p className={css.failed} role="alert">
          <Text of={problem} />
        </p>
      )}
      <div className={css.row}>
        <Button type="submit" tone="primary" lack={lack}>
          {verb}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </>
  );
}
