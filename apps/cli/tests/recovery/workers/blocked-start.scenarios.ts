/** Obstacles to a worker's start: missing programs, sessions and files of others, locks of git. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { committing, type Scenario } from '../support/scenario.ts';
import type { Scene } from '../support/scene.ts';

const SIM_AGENT = fileURLToPath(new URL('../../../../sim-agent/bin/sim-agent', import.meta.url));
const CRASH = 'Session crash';
const COMMANDS = 'Commands to a machine';

/** Retries after a person has removed the cause: the worker comes up and does a task. */
async function retried(scene: Scene, subject: string): Promise<void> {
  await scene.answer('retry');
  await scene.reach('idle');
  await scene.start(committing(subject));
}

/** Scenarios of start-tools-review.nightly.test.ts. */
export const WORKFLOW: readonly Scenario[] = [
  {
    section: CRASH,
    seen: 'status 127 before it ever showed a prompt',
    done: '`error`, and a person is told at once',
    title:
      'given a program that is not installed, when a worker is added, then a person is asked at once, and a retry after the installation goes on',
    worker: 'uninstalled',
    profile: { program: '{dir}/agent-to-come' },
    prompt: null,
    act: async (scene) => {
      await scene.addWorker();
      await scene.reach('error', /is not installed/u);
      expect((await scene.view())?.crashes).toBe(0);
      symlinkSync(SIM_AGENT, join(scene.stand.site.dir, 'agent-to-come'));
      await retried(scene, 'once it is installed');
    },
    end: {
      status: 'needs_review',
      errors: { AGENT_CLI_NOT_FOUND: 'recovered' },
      rules: ['give-up:AGENT_CLI_NOT_FOUND', 'answer:retry', 'taken:task', 'commit-found'],
      why: /is not installed/u,
      commits: ['once it is installed'],
    },
  },
  {
    section: COMMANDS,
    seen: "a tmux session of the worker's name that is not the worker's",
    done: 'It is left alone; `error`, and a person is told what to end',
    title:
      "given a stranger's session of its name, when a worker is added, then it is left alone and a person is asked, and a retry goes on",
    worker: 'namesake',
    prompt: null,
    act: async (scene) => {
      await scene.tmuxThere();
      await scene.tmux('new-session', '-d', '-s', 'drover-namesake', 'cat');
      await scene.addWorker();
      await scene.reach('error', /"drover-namesake" is there that is not this worker's/u);
      await scene.tmux('kill-session', '-t', '=drover-namesake');
      await retried(scene, 'in a session of its own');
    },
    end: {
      status: 'needs_review',
      errors: { TMUX_SESSION_FAILED: 'recovered' },
      rules: [
        'failed:open:session-name-taken',
        'give-up:TMUX_SESSION_FAILED',
        'answer:retry',
        'taken:task',
        'commit-found',
      ],
      why: /End it, or rename the worker/u,
      commits: ['in a session of its own'],
    },
  },
  {
    section: COMMANDS,
    seen: "something else where the worker's worktree should be",
    done: 'It is left alone; `error`, and a person is told what to move away',
    title:
      'given files of a person in the place of its worktree, when a worker is added, then they stay and a person is asked, and a retry goes on',
    worker: 'squatted',
    prompt: null,
    act: async (scene) => {
      mkdirSync(scene.worktree, { recursive: true });
      writeFileSync(join(scene.worktree, 'diary.txt'), 'mine\n');
      await scene.addWorker();
      await scene.reach('error', /move it away/u);
      await scene.fileThere('diary.txt');
      rmSync(scene.worktree, { recursive: true });
      await retried(scene, 'in its place');
    },
    end: {
      status: 'needs_review',
      errors: { GIT_WORKTREE_FAILED: 'recovered' },
      rules: ['failed:prepare:worktree-occupied', 'give-up:GIT_WORKTREE_FAILED', 'answer:retry', 'commit-found'],
      why: /is not a worktree of/u,
      commits: ['in its place'],
    },
  },
  {
    section: COMMANDS,
    seen: 'git stopped in the middle of making a worktree',
    done: 'What is left of it is cleared, and it is made',
    title:
      'given a worktree that a killed git left unfinished, when a worker is added, then it is cleared and made, and no person is asked',
    worker: 'halfmade',
    prompt: null,
    act: async (scene) => {
      const unfinished = join(scene.stand.site.root, '.worktrees/.halfmade.unfinished');
      mkdirSync(join(unfinished, '.git/objects'), { recursive: true });
      writeFileSync(join(unfinished, '.git/HEAD'), 'ref: refs/heads/drover/halfmade\n');
      writeFileSync(join(unfinished, 'a.txt'), 'half a file');
      await scene.begin(committing('in a whole worktree'));
    },
    end: {
      status: 'needs_review',
      errors: {},
      rules: ['taken:task', 'commit-found'],
      why: /committed "in a whole worktree"/u,
      commits: ['in a whole worktree'],
    },
  },
  {
    section: COMMANDS,
    seen: 'a command fails and may be repeated',
    done: 'Again after `command.retry.waitMs`',
    title:
      'given a lock of git that a dead program left, when it is taken away after the first failure, then the command is repeated and no person is asked',
    worker: 'locked',
    policy: '[policy.command.retry]\nattemptsMax = 9\n',
    prompt: null,
    act: async (scene) => {
      await scene.addWorker();
      await scene.reach('idle');
      const lock = lockOf(scene);
      writeFileSync(lock, '');
      await scene.start(committing('after the lock'));
      await scene.fired('failed:prepare:locked');
      rmSync(lock);
    },
    end: {
      status: 'needs_review',
      errors: { GIT_WORKTREE_FAILED: 'recovered' },
      rules: ['failed:prepare:locked', 'recovered:GIT_WORKTREE_FAILED', 'taken:task', 'commit-found'],
      why: /repeat "prepare" in \d+ ms/u,
      taken: { 'after the lock': 1 },
      commits: ['after the lock'],
    },
  },
  {
    section: COMMANDS,
    seen: 'it failed `command.retry.attemptsMax` times',
    done: '`error`, and a person is told',
    title:
      'given a lock of git that stays, when the command failed as often as allowed, then a person is asked, and a retry without the lock goes on',
    worker: 'bolted',
    policy: '[policy]\ncheckEveryMs = 60_000\n[policy.command.retry]\nattemptsMax = 2\n',
    prompt: null,
    act: async (scene) => {
      await scene.addWorker();
      await scene.reach('idle');
      writeFileSync(lockOf(scene), '');
      await scene.start(committing('when the bolt is off'));
      await scene.reach('error', /"prepare" failed/u);
      rmSync(lockOf(scene));
      await scene.answer('retry');
    },
    end: {
      status: 'needs_review',
      errors: { GIT_WORKTREE_FAILED: 'recovered' },
      rules: [
        'failed:prepare:locked',
        'failed:prepare:locked',
        'give-up:GIT_WORKTREE_FAILED',
        'answer:retry',
        'commit-found',
      ],
      why: /lock/u,
      taken: { 'when the bolt is off': 1 },
      commits: ['when the bolt is off'],
    },
  },
];

/** Path of the lock that a killed git leaves on the worker's branch. */
function lockOf({ stand, name }: Scene): string {
  const lock = join(stand.site.root, `.worktrees/${name}/.git/refs/heads/drover/${name}.lock`);
  mkdirSync(dirname(lock), { recursive: true });
  return lock;
}
