/** Starts a run of a flow, and shows the command that does the same. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { showHidden } from '@drover/core/hidden-characters';
import { api } from '../../client/api.ts';
import { useDraft } from '../../client/drafts.ts';
import { useFleet } from '../../client/hooks.ts';
import { startCommand } from '../../fleet/runs.ts';
import { Ending, useSending } from '../../parts/ending.tsx';
import { CommandLine, Failed, Loading } from '../../parts/notices.tsx';
import parts from '../../parts/parts.module.css';
import { Text } from '../../parts/text.tsx';
import { Dialog } from '../../shell/dialog.tsx';

export function NewRun({ onClose }: { readonly onClose: () => void }) {
  const flows = useQuery({ queryKey: ['flows'], queryFn: () => api.flows.list.query() });
  return (
    <Dialog title="Start a run" onClose={onClose}>
      {flows.isPending ? <Loading what="the flows" /> : null}
      {flows.isError ? <Failed error={flows.error} onRetry={() => void flows.refetch()} /> : null}
      {flows.data === undefined ? null : <Form flows={flows.data} onClose={onClose} />}
    </Dialog>
  );
}

type Flows = Awaited<ReturnType<typeof api.flows.list.query>>;

function Form({ flows, onClose }: { readonly flows: Flows; readonly onClose: () => void }) {
  const navigate = useNavigate();
  const fleet = useFleet();
  const [name, setName] = useState(flows[0]?.name ?? '');
  const [goal, write] = useDraft('run');
  const [others, setOthers] = useState<Readonly<Record<string, string>>>({});
  const [workers, setWorkers] = useState('');
  const [project, setProject] = useState('');
  const { problem, send } = useSending(onClose);
  const flow = flows.find((one) => one.name === name);
  const wanted = flow?.inputs ?? [];
  const inputs = Object.fromEntries(wanted.map((input) => [input, input === 'goal' ? goal : (others[input] ?? '')]));
  const projects = [...new Set([...fleet.workers.values()].map((worker) => worker.project))];
  const start = async (requestId: string): Promise<void> => {
    const wishes = {
      ...(workers === '' ? {} : { workers: Number(workers) }),
      ...(project === '' ? {} : { project }),
    };
    const { id } = await api.runs.start.mutate({ requestId, flow: name, inputs, ...wishes });
    write('');
    void navigate({ to: '/runs/$id', params: { id } });
  };
  return (
    <>
      <form
        className={parts.dialogForm}
        onSubmit={(event) => {
          event.preventDefault();
          void send(start);
        }}
      >
        <label className={parts.field}>
          <span>Flow</span>
          <select value={name} onChange={({ target }) => setName(target.value)}>
            {flows.map((one) => (
              <option key={one.name} value={one.name}>
                {showHidden(one.name)}
              </option>
            ))}
          </select>
        </label>
        <p className={parts.dim}>
          <Text of={flow?.about ?? ''} /> Stages: <Text of={flow?.stages.join(' → ') ?? ''} />
        </p>
        {wanted.map((input) => (
          <label key={input} className={parts.field}>
            <span>
              <Text of={input === 'goal' ? 'The goal' : input} />
            </span>
            <textarea
              required
              value={inputs[input] ?? ''}
              onChange={({ target }) =>
                input === 'goal' ? write(target.value) : setOthers({ ...others, [input]: target.value })
              }
            />
          </label>
        ))}
        <label className={parts.field}>
          <span>Workers at the same time</span>
          <input
            type="number"
            min={1}
            max={50}
            placeholder="as the flow says"
            value={workers}
            onChange={({ target }) => setWorkers(target.value)}
          />
        </label>
        {projects.length < 2 ? null : (
          <label className={parts.field}>
            <span>Project</span>
            <select required value={project} onChange={({ target }) => setProject(target.value)}>
              <option value="">choose one</option>
              {projects.map((one) => (
                <option key={one} value={one}>
                  {showHidden(one)}
                </option>
              ))}
            </select>
          </label>
        )}
        <Ending problem={problem} verb="Start" onClose={onClose} />
      </form>
      <CommandLine text={startCommand(name, { inputs, workers, project })} />
    </>
  );
}
