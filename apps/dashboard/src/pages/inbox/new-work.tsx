/** Starts a task, or adds a worker. Each form shows the command that does the same. */
import { useState } from 'react';
import { showHidden } from '@drover/core/hidden-characters';
import { api } from '../../client/api.ts';
import { useDraft } from '../../client/drafts.ts';
import { useFleet } from '../../client/hooks.ts';
import { useLack } from '../../client/lack.ts';
import { Button } from '../../parts/button.tsx';
import { Ending, useSending } from '../../parts/ending.tsx';
import { CommandLine } from '../../parts/notices.tsx';
import parts from '../../parts/parts.module.css';
import { Dialog } from '../../shell/dialog.tsx';

export function NewWork() {
  const [form, setForm] = useState<'task' | 'worker' | null>(null);
  const lack = useLack('operator');
  const close = (): void => setForm(null);
  return (
    <div className={parts.row}>
      <Button lack={lack} onClick={() => setForm('worker')}>
        Add a worker
      </Button>
      <Button tone="primary" lack={lack} onClick={() => setForm('task')}>
        Start a task
      </Button>
      {form === 'task' ? <TaskForm onClose={close} /> : null}
      {form === 'worker' ? <WorkerForm onClose={close} /> : null}
    </div>
  );
}

interface FormProps {
  readonly onClose: () => void;
}

export function TaskForm({ onClose }: FormProps) {
  const { workers } = useFleet();
  const [prompt, write] = useDraft('task');
  const [worker, setWorker] = useState('');
  const idle = [...workers.values()].filter(({ status }) => status === 'idle');
  const { problem, send } = useSending(onClose);
  const names = idle.map(({ project, name }) => ({ ref: `${project}/${name}`, name }));
  const named = worker === '' ? {} : { name: worker };
  return (
    <Dialog title="Start a task" onClose={onClose}>
      <form
        className={parts.dialogForm}
        onSubmit={(event) => {
          event.preventDefault();
          void send(async (requestId) => {
            await api.workers.start.mutate({ requestId, prompt, ...named });
            write('');
          });
        }}
      >
        <label className={parts.field}>
          <span>What is to be done</span>
          <textarea required autoFocus value={prompt} onChange={({ target }) => write(target.value)} />
        </label>
        <label className={parts.field}>
          <span>Worker</span>
          <select value={worker} onChange={({ target }) => setWorker(target.value)}>
            <option value="">the best idle one</option>
            {names.map(({ ref, name }) => (
              <option key={ref} value={ref}>
                {showHidden(name)}
              </option>
            ))}
          </select>
        </label>
        {idle.length === 0 ? (
          <p className={parts.dim}>No worker is idle now: the coordinator will refuse, or add one first.</p>
        ) : null}
        <Ending problem={problem} verb="Start" onClose={onClose} />
      </form>
      <CommandLine text={`drover start ${worker === '' ? '' : `--worker ${worker} `}--prompt "${prompt}"`} />
    </Dialog>
  );
}

export function WorkerForm({ onClose }: FormProps) {
  const [name, setName] = useState('');
  const { problem, send } = useSending(onClose);
  return (
    <Dialog title="Add a worker" onClose={onClose}>
      <form
        className={parts.dialogForm}
        onSubmit={(event) => {
          event.preventDefault();
          void send((requestId) => api.workers.add.mutate({ requestId, name }));
        }}
      >
        <label className={parts.field}>
          <span>Name</span>
          <input required autoFocus autoComplete="off" value={name} onChange={({ target }) => setName(target.value)} />
        </label>
        <p className={parts.dim}>
          Its program, model and machine come from the configuration; the command takes options for them.
        </p>
        <Ending problem={problem} verb="Add" onClose={onClose} />
      </form>
      <CommandLine text={`drover add ${name}`} />
    </Dialog>
  );
}
