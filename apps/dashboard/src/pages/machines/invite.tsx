/** Makes an invitation for a machine and shows it once. */
import { useState } from 'react';
import type { InvitationView } from '@drover/api';
import { api, failureOf } from '../../client/api.ts';
import { Button } from '../../parts/button.tsx';
import { CommandLine } from '../../parts/notices.tsx';
import parts from '../../parts/parts.module.css';
import { Text } from '../../parts/text.tsx';
import { Dialog } from '../../shell/dialog.tsx';

/** Milliseconds that an invitation is valid, as the command has it. */
const VALID_MS = 10 * 60_000;

export function Invite({ onClose }: { readonly onClose: () => void }) {
  const [made, setMade] = useState<InvitationView | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const make = (): Promise<void> =>
    api.machines.invite
      .mutate({ ttlMs: VALID_MS, gateway: false })
      .then(setMade, (error: unknown) => setProblem(failureOf(error).message));
  return (
    <Dialog title="Invite a machine" onClose={onClose}>
      {problem === null ? null : (
        <p role="alert" className={parts.failed}>
          <Text of={problem} />
        </p>
      )}
      {made === null ? (
        <>
          <p>An invitation lets one machine join, within ten minutes. It is shown once.</p>
          <div className={parts.row}>
            <Button tone="primary" onClick={() => void make()}>
              Make the invitation
            </Button>
          </div>
          <CommandLine text="drover machine invite" />
        </>
      ) : (
        <>
          <p>On the other machine, then “drover machine service install”:</p>
          <CommandLine
            text={`printf %s ${made.token} | drover machine join ${made.url ?? location.origin} --token-file -`}
          />
          <p className={parts.dim}>
            It names this fleet: <Text of={made.coordinator} />
          </p>
        </>
      )}
    </Dialog>
  );
}
