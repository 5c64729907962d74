/** Level 2: alternatives in order, after repeating did not help; and failures of the machine itself. */
import { rmSync } from 'node:fs';
import { committing, LEVEL_4, type Scenario } from '../support/scenario.ts';

const ERRORS = 'Errors that the agent shows';
const GONE = 'Session gone';

/** Scenarios of sessions.nightly.test.ts. */
export const SESSIONS: readonly Scenario[] = [
  {
    section: ERRORS,
    seen: 'requests fail again and again',
    done: 'Asked to go on 3 times; then each alternative once, the gentlest first; then `error`',
    title:
      'given requests that always fail, when asking was tried 3 times, then the alternatives follow in order, and a person is asked',
    worker: 'failing',
    settings: 'excluded_from_pool = true',
    policy: '[[policy.substitutes]]\nprofile = "sim"\nby = ["claude"]\n',
    prompt: 'OUTAGE 99; APIERROR',
    end: {
      status: 'error',
      errors: { AGENT_API_ERROR: 'open' },
      rules: [
        'alternative:respawn-resumed',
        'alternative:respawn-clean',
        'alternative:other-profile',
        'give-up:AGENT_API_ERROR',
      ],
      asks: { title: /requests fail/u, options: LEVEL_4 },
      why: /continue with "claude" in the same worktree/u,
    },
  },
  {
    section: GONE,
    seen: 'a worker without a session',
    done: '`offline`; the session is opened again, the conversation resumed, the task given again',
    title:
      'given a worker at work, when its session is ended from outside, then it is opened again and the task goes on',
    worker: 'orphan',
    prompt: committing('in a second session', 'ONCE: WAITFILE never'),
    act: async (scene) => {
      await scene.witnessed('taken', 'in a second session');
      await scene.fired('taken:task');
      await scene.tmux('kill-session', '-t', `=drover-${scene.name}`);
    },
    end: {
      status: 'needs_review',
      errors: { SESSION_ORPHANED: 'recovered' },
      rules: ['session-gone', 'command:open', 'came-up', 'taken:restored', 'commit-found'],
      why: /its session is gone/u,
      commits: ['in a second session'],
      taken: { 'cut off': 1 },
    },
  },
  {
    section: GONE,
    seen: 'a session of no worker',
    done: 'Left alone',
    title:
      'given a session that belongs to no worker, when everything is checked and the work is done, then it is still there',
    worker: 'neighbour',
    prompt: committing('beside a stranger'),
    act: async (scene) => {
      await scene.tmux('new-session', '-d', '-s', 'drover-of-nobody', 'cat');
      await scene.drover('doctor').catch(() => null);
      await scene.reach('needs_review');
      await scene.tmux('has-session', '-t', '=drover-of-nobody');
    },
    end: {
      status: 'needs_review',
      errors: {},
      rules: ['commit-found'],
      why: /committed/u,
      commits: ['beside a stranger'],
    },
  },
  {
    section: 'Checkpoints',
    seen: 'a worktree is gone, and no person removed it',
    done: 'It is made again, with the work of the last checkpoint',
    title: 'given uncommitted work, when its worktree is deleted, then it is made again and the work is back',
    worker: 'homeless',
    policy: '[policy.checkpoint]\neveryMs = 500\n',
    prompt: committing('from the ruins', 'ONCE: WRITE draft.txt half an idea', 'ONCE: WAITFILE never'),
    act: async (scene) => {
      await scene.fileThere('draft.txt');
      await scene.drover('worker', 'checkpoint', 'create', scene.name);
      rmSync(scene.worktree, { recursive: true, force: true });
    },
    end: {
      status: 'needs_review',
      errors: { GIT_WORKTREE_FAILED: 'recovered' },
      rules: ['worktree-lost', 'restored-checkpoint', 'commit-found'],
      why: /worktree is gone/u,
      commits: ['from the ruins'],
    },
  },
];
