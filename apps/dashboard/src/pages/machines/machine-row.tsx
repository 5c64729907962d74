/** Shows one machine, with the orders of an admin. */
import { useState } from 'react';
import type { MachineView } from '@drover/api';
import { api, failureOf } from '../../client/api.ts';
import { newId } from '../../client/browser-adapter.ts';
import { useLack } from '../../client/lack.ts';
import { bytesText } from '../../fleet/text.ts';
import { Age } from '../../parts/age.tsx';
import { Button } from '../../parts/button.tsx';
import parts from '../../parts/parts.module.css';
import { Text } from '../../parts/text.tsx';
import { Dialog } from '../../shell/dialog.tsx';
import css from './machines.module.css';

interface Props {
  readonly machine: MachineView;
  readonly onChanged: () => void;
}

export function MachineRow({ machine, onChanged }: Props) {
  const { name, state, version, workers, capacity, labels, lastSeenAt, warnings, ssh, cordon } = machine;
  const facts = [
    `${workers} ${workers === 1 ? 'worker' : 'workers'}${capacity === null ? '' : ` of ${capacity}`}`,
    ...(version === null ? [] : [`Drover ${version}`]),
    ...labels,
  ];
  return (
    <article className={css.machine} data-item="" tabIndex={0}>
      <header className={css.machineHead}>
        <Mark state={state} />
        <h2>
          <Text of={name} />
        </h2>
        <span className={parts.dim}>
          {lastSeenAt === null ? (
            'never seen'
          ) : (
            <>
              heard <Age since={lastSeenAt} /> ago
            </>
          )}
        </span>
        <Requests machine={machine} onChanged={onChanged} />
      </header>
      <p className={parts.dim}>
        <Text of={facts.join(' · ')} />
      </p>
      <Condition machine={machine} />
      {ssh?.why === null || ssh === null ? null : <Trouble text={`${name} ${ssh.why}`} />}
      {warnings.map((warning) => (
        <Trouble key={warning} text={`${name} ${warning}`} />
      ))}
      {cordon === null ? null : <Cordon cordon={cordon} />}
    </article>
  );
}

const STATES: Readonly<
  Record<MachineView['state'], readonly [words: string, tone: string | undefined, shape: React.ReactNode]>
> = {
  connected: ['connected', parts.green, <circle key="" cx="6" cy="6" r="4.2" fill="currentColor" />],
  suspect: ['late', parts.amber, <path key="" d="M6 1 11.4 10.6H.6Z" fill="currentColor" />],
  disconnected: ['silent', parts.red, <rect key="" x="1.5" y="1.5" width="9" height="9" fill="currentColor" />],
  never: [
    'has not come yet',
    parts.grey,
    <circle key="" cx="6" cy="6" r="3.8" fill="none" stroke="currentColor" strokeWidth="1.6" />,
  ],
  revoked: [
    'revoked',
    parts.grey,
    <path key="" d="M2.2 2.2l7.6 7.6M9.8 2.2 2.2 9.8" stroke="currentColor" strokeWidth="1.8" />,
  ],
};

function Mark({ state }: { readonly state: MachineView['state'] }) {
  const [words, tone, shape] = STATES[state];
  return (
    <span className={`${parts.status} ${tone}`}>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
        {shape}
      </svg>
      {words}
    </span>
  );
}

function Condition({ machine: { condition } }: Pick<Props, 'machine'>) {
  if (condition === null) return null;
  const { load, processors, memory, disk, programs } = condition;
  // A machine needs no program of a profile that none of its workers has.
  const missing = programs.filter(({ of, state }) => of === 'tool' && state === 'missing').map(({ name }) => name);
  return (
    <dl className={css.condition}>
      <Fact name="Load" value={`${load.toFixed(1)} of ${processors}`} share={load / processors} />
      <Fact name="Memory" value={`${bytesText(memory.freeBytes)} free`} share={1 - memory.freeBytes / memory.bytes} />
      {disk === null ? null : (
        <Fact name="Disk" value={`${bytesText(disk.freeBytes)} free`} share={1 - disk.freeBytes / disk.bytes} />
      )}
      {missing.length === 0 ? null : (
        <div>
          <dt>Missing</dt>
          <dd>
            <Text of={missing.join(', ')} />
          </dd>
        </div>
      )}
    </dl>
  );
}

function Fact({ name, value, share }: { readonly name: string; readonly value: string; readonly share: number }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <meter aria-label={name} low={0.75} high={0.9} optimum={0} value={Math.min(1, Math.max(0, share))} /> {value}
      </dd>
    </div>
  );
}

function Trouble({ text }: { readonly text: string }) {
  return (
    <p className={parts.alert}>
      <Text of={text} />
    </p>
  );
}

function Cordon({ cordon }: { readonly cordon: NonNullable<MachineView['cordon']> }) {
  const { by, since, drain } = cordon;
  return (
    <div className={parts.caution}>
      <p>
        {drain === null ? 'Cordoned' : drain.doneAt === null ? 'Its workers leave' : 'Empty, after a drain'}: it gets no
        new work. By <Text of={by} />, <Age since={since} /> ago.
      </p>
      {drain === null
        ? null
        : Object.entries(drain.waits).map(([worker, reason]) => (
            <p key={worker} className={parts.dim}>
              <Text of={`${worker}: ${reason}`} />
            </p>
          ))}
    </div>
  );
}

function Requests({ machine: { name, cordon, state }, onChanged }: Props) {
  const [isDraining, setDraining] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const lack = useLack('admin');
  const give = async (request: Promise<unknown>): Promise<void> => {
    try {
      await request;
      setProblem(null);
      setDraining(false);
      onChanged();
    } catch (error) {
      setProblem(failureOf(error).message);
    }
  };
  if (state === 'revoked') return null;
  return (
    <div className={css.orders}>
      {problem === null ? null : (
        <span role="alert" className={parts.alert}>
          <Text of={problem} />
        </span>
      )}
      {cordon === null ? (
        <Button lack={lack} title="It gets no new work" onClick={() => void give(api.machines.cordon.mutate({ name }))}>
          Cordon
        </Button>
      ) : (
        <Button
          lack={lack}
          title="It gets work again"
          onClick={() => void give(api.machines.uncordon.mutate({ name }))}
        >
          Uncordon
        </Button>
      )}
      <Button lack={lack} onClick={() => setDraining(true)}>
        Drain
      </Button>
      {isDraining ? (
        <Dialog title={`Drain ${name}?`} onClose={() => setDraining(false)}>
          <p>It gets no new work, and its workers move to other machines: those with a task when the task is over.</p>
          <div className={parts.row}>
            <Button
              tone="danger"
              onClick={() => void give(api.machines.drain.mutate({ name, requestId: newId(), deadlineMs: null }))}
            >
              Drain
            </Button>
            <Button onClick={() => setDraining(false)}>Leave it</Button>
          </div>
        </Dialog>
      ) : null}
    </div>
  );
}
