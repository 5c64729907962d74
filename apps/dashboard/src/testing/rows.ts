/** Rows of tests. */
import type { EscalationView, WorkerView } from '@drover/api';

export function workerRow(given: Partial<WorkerView> & { readonly name: string }): WorkerView {
  return {
    id: `w-${given.name}`,
    project: 'shop',
    machine: 'build-1',
    machineState: 'connected',
    profile: 'claude',
    model: null,
    status: 'working',
    note: '',
    screen: null,
    prompt: null,
    branch: `drover/${given.name}`,
    worktree: '/w',
    mayHaveSession: true,
    commit: null,
    crashes: 0,
    accepting: null,
    heldUp: null,
    brokenBase: null,
    train: null,
    checkedOn: null,
    sentBack: null,
    stopping: false,
    moving: null,
    offered: null,
    lacks: [],
    since: 1_000,
    createdAt: 1,
    ...given,
  };
}

export function questionRow(given: { readonly worker: string; readonly createdAt: number }): EscalationView {
  const { worker, createdAt } = given;
  return {
    id: `q-${worker}`,
    shortId: worker,
    worker,
    workers: [],
    createdAt,
    context: { project: 'shop' },
  } as unknown as EscalationView;
}
