/** Alternatives of level 2 that help: rollback, another profile, another worker; and the ladder after partial sends. */
import { expect } from 'vitest';
import { story } from '../support/play.ts';
import { committing, LEVEL_4, type Scenario } from '../support/scenario.ts';
import { Scene } from '../support/scene.ts';

const ERRORS = 'Errors that the agent shows';
const PARTIAL = 'Partial send';
const ONE_WAY = 'One way for every recovery';

/** Lines of drover.toml for these scenarios beside the common ones: a reassigned task is taken at once. */
export const WAYS_CONFIG = '[queue]\ntake = true\n';

/** A policy that retries once, then tries the alternatives: the three tries of level 1 are played elsewhere. */
const SOON = '[policy.incident]\nmaxAttemptsPerError = 1\n';

/** Scenarios of alternatives.nightly.test.ts. */
export const WAYS: readonly Scenario[] = [
  {
    section: ERRORS,
    seen: 'the context is full again in the fresh context',
    done: 'Back to the last checkpoint, and the task is given again',
    title:
      'given a full context, when the fresh one is full as well, then the work goes back to the last checkpoint and the task is given again',
    worker: 'overfull',
    // No check falls between the start of its session and its first screen.
    policy: '[policy]\ncheckEveryMs = 60_000\n',
    prompt: committing('after a rollback', 'ONCE: CONTEXT once', 'ONCE: WRITE dead-end.txt no', 'ONCE: CONTEXT twice'),
    act: async (scene) => {
      await scene.reach('needs_review');
      // Changes between the checkpoint and the second failure are not part of the work.
      const files = scene.stand.site.git(scene.worktree, 'show', '--name-only', '--format=');
      if (files.includes('dead-end.txt')) throw new Error(`dead-end.txt is in its work\n${await story(scene)}`);
    },
    end: {
      status: 'needs_review',
      errors: { AGENT_CONTEXT_EXHAUSTED: 'recovered' },
      rules: [
        'alternative:fresh-context',
        'alternative:rollback',
        'restored-checkpoint',
        'taken:restored',
        'recovered:AGENT_CONTEXT_EXHAUSTED',
        'commit-found',
      ],
      why: /restore checkpoint [0-9a-f]{8} and give the task again/u,
      taken: { 'after a rollback': 3 },
      commits: ['after a rollback'],
    },
  },
  {
    section: ERRORS,
    seen: 'the context stays full after every alternative',
    done: '`error`, and a person is told',
    title:
      'given a context that is always full, when the fresh one and the rollback did not help, then a person is asked',
    worker: 'bursting',
    prompt: 'CONTEXT',
    settings: 'excluded_from_pool = true',
    policy: '[policy.incident]\nmaxTotalAttempts = 2\n',
    end: {
      status: 'error',
      note: /its context is full/u,
      errors: { AGENT_CONTEXT_EXHAUSTED: 'open' },
      rules: ['alternative:fresh-context', 'alternative:rollback', 'give-up:AGENT_CONTEXT_EXHAUSTED'],
      asks: { title: /its context is full/u, options: LEVEL_4 },
      why: /drover answer \S+ --option retry /u,
    },
  },
  {
    section: PARTIAL,
    seen: 'a part again after `partial.attemptsMax` tries',
    done: 'It counts as lost input: the next rung',
    title: 'given texts that are cut four times, when three clearings did not help, then it counts as lost and arrives',
    worker: 'cut',
    prompt: 'CUTTEXT 4\nASKTEXT What now?',
    act: async (scene) => {
      await scene.reach('needs_input');
      await scene.message('WRITE as-told.txt done; COMMIT as told');
    },
    end: {
      status: 'needs_review',
      errors: { AGENT_BLOCKED: 'recovered', INPUT_PARTIAL: 'recovered', INPUT_LOST: 'recovered' },
      rules: ['partial:1', 'partial:2', 'partial:3', 'lost:rung-1', 'taken:message', 'commit-found'],
      why: /resend by "typed"/u,
      taken: { 'COMMIT as told': 1 },
      commits: ['as told'],
    },
  },
  {
    section: ONE_WAY,
    seen: 'nothing gentler helped, and `substitutes` names another profile',
    done: 'It goes on with that profile in the same worktree',
    title:
      'given a provider that always fails, when the policy names another profile, then that goes on in the same worktree',
    worker: 'swapped',
    profile: { args: ['--outage'] },
    policy: `${SOON}[[policy.substitutes]]\nprofile = "sim-swapped"\nby = ["claude"]\n`,
    prompt: committing('by another profile'),
    end: {
      status: 'needs_review',
      errors: { AGENT_API_ERROR: 'recovered' },
      rules: [
        'alternative:respawn-resumed',
        'taken:restored',
        'alternative:respawn-clean',
        'taken:restored',
        'alternative:other-profile',
        'taken:restored',
        'commit-found',
        'recovered:AGENT_API_ERROR',
      ],
      why: /continue with "claude" in the same worktree/u,
      commits: ['by another profile'],
    },
  },
  {
    section: ONE_WAY,
    seen: 'nothing gentler helped, and a worker of the pool is idle',
    done: 'The task goes back to the work queue, and another worker does it; a person is asked about this one',
    title: 'given a worker whose requests always fail, when another one is idle, then that one does the task',
    worker: 'giver',
    profile: { args: ['--outage'] },
    policy: SOON,
    prompt: null,
    act: async (scene) => {
      const taker = new Scene(scene.stand, { worker: 'taker' });
      await taker.addWorker();
      await taker.reach('idle');
      await scene.begin(committing('by another worker'));
      await taker.reach('needs_review');
      expect(scene.stand.site.commits('taker')).toEqual(['by another worker']);
      expect(scene.stand.site.commits('giver')).toEqual([]);
    },
    end: {
      status: 'error',
      note: /its task went back to the queue/u,
      errors: { AGENT_API_ERROR: 'open' },
      rules: ['alternative:respawn-resumed', 'alternative:respawn-clean', 'alternative:other-worker'],
      asks: { title: /its task went back to the queue/u, options: LEVEL_4 },
      why: /give the task to another worker/u,
    },
  },
];
