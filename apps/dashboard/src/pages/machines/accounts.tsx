/** Lists the accounts that pay for workers: what is left of each, and whom its limits stop. */
import { useQuery } from '@tanstack/react-query';
import type { AccountView } from '@drover/api';
import { api } from '../../client/api.ts';
import { useSeconds, timeNow } from '../../client/hooks.ts';
import { spanText } from '../../fleet/text.ts';
import { Failed } from '../../parts/notices.tsx';
import parts from '../../parts/parts.module.css';
import { Text } from '../../parts/text.tsx';
import css from './machines.module.css';

const REFRESH_MS = 15_000;

export function Accounts() {
  const accounts = useQuery({
    queryKey: ['accounts'],
    queryFn: () => api.accounts.query(),
    refetchInterval: REFRESH_MS,
  });
  const seconds = useSeconds();
  if (accounts.isError && accounts.data === undefined) return <Failed error={accounts.error} />;
  const known = accounts.data ?? [];
  return (
    <section aria-label="Accounts">
      <h2 className={css.section}>Accounts</h2>
      {known.length === 0 ? <p className={parts.dim}>No account pays for a worker.</p> : null}
      <ul className={css.machines}>
        {known.map((account) => (
          <li key={account.key} className={css.machine}>
            <h3>
              <Text of={account.key} />
            </h3>
            <p className={parts.dim}>
              <Text of={stateText(account, Math.max(seconds, timeNow()))} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function stateText({ state, until, stated, probe, waiting, pays, quota, left }: AccountView, now: number): string {
  const who =
    waiting.length === 0
      ? 'Nobody waits.'
      : `${waiting.length} ${waiting.length === 1 ? 'waits' : 'wait'}: ${waiting.join(', ')}.`;
  const payees = pays.length === 0 ? 'Pays for no worker.' : `Pays for ${pays.join(', ')}.`;
  if (state === 'open') return `Open: ${left}. ${payees}${waiting.length === 0 ? '' : ` ${who}`}`;
  const told = quota === null ? '' : `: ${left}`;
  if (state === 'probing') return `${probe ?? 'A worker'} tries whether the limit is over${told}. ${who}`;
  const next = until === null ? '' : ` Next try in ${spanText(until - now)}${stated ? ', as its program says' : ''}.`;
  return `At its limit${told}.${next} ${who}`;
}
