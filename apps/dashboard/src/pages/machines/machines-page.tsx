/** Lists the machines and accounts of the fleet: what they can do, what troubles them, and orders for them. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { MachineView } from '@drover/api';
import { api } from '../../client/api.ts';
import { useLack } from '../../client/lack.ts';
import { byNumber } from '../../fleet/table.ts';
import { Button } from '../../parts/button.tsx';
import { CommandLine, Empty, Failed, Loading } from '../../parts/notices.tsx';
import { Accounts } from './accounts.tsx';
import { Invite } from './invite.tsx';
import { MachineRow } from './machine-row.tsx';
import css from './machines.module.css';

/** Milliseconds between two looks. */
const REFRESH_MS = 5_000;

export function MachinesPage() {
  const machines = useQuery({
    queryKey: ['machines'],
    queryFn: () => api.machines.list.query(),
    refetchInterval: REFRESH_MS,
  });
  const [isInviting, setInviting] = useState(false);
  const lack = useLack('admin');
  if (machines.isPending) return <Loading what="the machines" />;
  if (machines.isError && machines.data === undefined)
    return <Failed error={machines.error} onRetry={() => void machines.refetch()} />;
  const rows = (machines.data ?? []).toSorted(byTrouble);
  return (
    <>
      <div className={css.head}>
        <h1>
          {rows.length} {rows.length === 1 ? 'machine' : 'machines'}
        </h1>
        <Button lack={lack} onClick={() => setInviting(true)}>
          Invite a machine
        </Button>
      </div>
      {rows.length === 0 ? (
        <Empty title="No machine has joined yet">
          <p>“drover up” joins this computer; another one joins by an invitation.</p>
          <CommandLine text="drover machine invite" />
        </Empty>
      ) : null}
      <ul className={css.machines}>
        {rows.map((machine) => (
          <li key={machine.id}>
            <MachineRow machine={machine} onChanged={() => void machines.refetch()} />
          </li>
        ))}
      </ul>
      <Accounts />
      {isInviting ? <Invite onClose={() => setInviting(false)} /> : null}
    </>
  );
}

/** Machines in trouble come first. */
function byTrouble(one: MachineView, other: MachineView): number {
  return rankOf(one) - rankOf(other) || byNumber(one.name, other.name);
}

function rankOf({ state, warnings, ssh }: MachineView): number {
  if (state === 'disconnected' || state === 'suspect' || ssh?.isFinal === true) return 0;
  return warnings.length > 0 ? 1 : 2;
}
