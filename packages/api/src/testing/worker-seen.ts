/** A worker as a coordinator shows it, for tests of what people see. */
import type { WorkerView } from '../workers/workers.ts';

/** Makes an idle worker `adam` of which nothing else is known, with these changes. */
export function workerSeen(change: Partial<WorkerView> = {}): WorkerView {
  const { name = 'adam' } = change;
  return {
    id: name,
    name,
    project: 'demo',
    machine: 'here',
    machineState: 'connected',
    profile: 'sim',
    model: null,
    status: 'idle',
    note: '',
    screen: null,
    prompt: null,
    branch: `drover/${name}`,
    worktree: '/w',
    mayHaveSession: true,
    run: null,
    commit: change.status === 'needs_review' ? 'c0ffee' : null,
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
    since: 0,
    createdAt: 0,
    ...change,
  };
}
