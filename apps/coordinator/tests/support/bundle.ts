/** Builds the bundle of a question. */
import type { EscalationContext } from '@drover/api';

/** A bundle as coordinators write it. */
export const BUNDLE: EscalationContext = {
  worker: 'inside',
  project: 'shop',
  machine: 'laptop',
  machineState: 'never',
  profile: 'claude',
  account: 'claude',
  status: 'error',
  note: 'a note',
  lastActivityAt: null,
  prompt: null,
  worktree: '/w',
  code: 'AGENT_CRASH',
  errorId: null,
  attempts: 1,
  tried: ['restart'],
  history: [{ at: 1, kind: 'attempt', action: 'restart' }],
  pane: ['a line'],
  gitStatus: [],
  git: null,
  remediation: [],
  fingerprint: null,
  storm: null,
};
