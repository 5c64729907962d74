/** Level 2, limits of an account, checkpoints and the second look, told as stories. */
import { describe, expect, test } from 'vitest';
import type { AgentState } from '../agent-state.ts';
import { DEFAULT_POLICY } from '../policy/policy.ts';
import { BUSY, READY, working } from '../testing/story.ts';
import type { Story } from '../testing/story.ts';
import { SAVING } from './checkpoints.ts';
import { outgoing } from './orders.ts';

describe('level 2', () => {
  test('given every alternative, when each fails, then they come gentlest first and then a person is asked', () => {
    const story = withEverything().see(failing('api'));
    const kinds: string[] = [];

    while (story.worker.status === 'working' && kinds.length < 12) {
      const { incident } = story.worker;
      if (incident !== null && incident.tried.length > kinds.length) kinds.push(incident.tried.at(-1)?.kind ?? '');
      failsAgain(story, failing('api'));
    }

    expect(kinds).toEqual(['respawn-resumed', 'respawn-clean', 'other-profile']);
    expect(story.worker.incident?.tried.map(({ kind }) => kind)).toEqual([...kinds, 'other-worker']);
    expect(story.worker).toMatchObject({ status: 'error', task: null });
    expect(story.records).toContainEqual(
      expect.objectContaining({ kind: 'queued', class: 'handed-over', body: 'make it so' }),
    );
  });

  test('given words in the own queue of the last alternative, when its task is given to another worker, then a notice names them', () => {
    const story = withEverything().see(failing('api'));
    while ((story.worker.incident?.tried.length ?? 0) < 3 || story.last?.kind !== 'deliver')
      failsAgain(story, failing('api'));
    story.delivered().see(BUSY);
    const words = { ...outgoing('m', 'message', 'mind the gap'), lost: 1 };
    story.worker = { ...story.worker, queued: [words] };

    story.see(failing('api'));

    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'queued', class: 'handed-over' }));
    expect(story.records).toContainEqual({ kind: 'notice', text: expect.stringContaining('"mind the gap"') });
  });

  test('given a full context, when fresh ones fill too, then the work goes back to its checkpoint', () => {
    const story = withEverything();
    story.saveCommit = 'c1';
    story.hear({ kind: 'checkpoint-ordered', id: 'save-1', why: 'by hand' });
    const full = failing('context-exhausted');

    story.see(full).looked(full).opened().see(READY).delivered().see(BUSY).see(full);

    expect(story.worker.incident?.tried.at(-1)).toMatchObject({ kind: 'rollback' });
    // R3: its session is closed for it, so a fresh look must agree.
    expect(story.last).toMatchObject({ kind: 'look' });
    story.looked(full);
    expect(story.last).toEqual({ kind: 'close' });
    story.answer({ kind: 'closed' });
    expect(story.last).toMatchObject({ kind: 'restore', commit: 'c1' });
    story.answer({ kind: 'restored', head: 'aaaa', saved: 'refs/x' }).opened().see(READY);
    expect(story.last).toMatchObject({ kind: 'deliver', text: expect.stringContaining('make it so') });
  });

  test('given a resumed conversation that shows the error it ended with, when it is up, then its task is given before that counts as a failure', () => {
    const story = atLevelTwo();

    story.looked(failing('api')).opened().see(failing('api'));

    expect(story.worker.incident?.tried).toHaveLength(1);
    expect(story.last).toMatchObject({ kind: 'deliver', text: expect.stringContaining('make it so') });
  });

  test('given another profile, when it is taken, then that is written down before the agent is started by it', () => {
    const story = withEverything();
    const full = failing('usage-limit');
    story.policy = { ...story.policy, limit: { ...story.policy.limit, attemptsMax: 0 } };

    story.see(full).looked(full);

    expect(story.records).toContainEqual({ kind: 'profile-changed', from: 'sim', to: 'codex' });
    expect(story.last).toMatchObject({ kind: 'respawn', launch: { kind: 'fresh' } });
  });

  test('given a task with ten attempts behind it, when something fails, then a person is asked at once', () => {
    const story = working();
    story.worker = { ...story.worker, taskAttempts: DEFAULT_POLICY.incident.maxTotalAttempts };

    story.exit(1);

    expect(story.worker).toMatchObject({ status: 'error', crashes: { count: 1 } });
  });
});

describe('R3: a second look before a living program is ended', () => {
  test('given a failure, when the look finds the agent at work with new words, then it is left alone', () => {
    const story = atLevelTwo().looked(BUSY);

    expect(story.ops.filter(({ kind }) => kind === 'respawn')).toEqual([]);
    expect(story.worker).toMatchObject({ respawnDue: false, doubt: null, status: 'working' });
  });

  test('given a screen that cannot be read, when three looks say so, then the program is ended', () => {
    const story = atLevelTwo();
    const blind = { kind: 'looked', incarnation: story.incarnation, screen: null, git: null, delivery: null } as const;

    story.answer(blind).pass('hold').answer(blind).pass('hold');
    expect(story.last).toMatchObject({ kind: 'look' });
    story.answer(blind);

    expect(story.last).toMatchObject({ kind: 'respawn', force: true });
  });
});

describe('a limit of the account', () => {
  test('given a paused account, when a message is given, then it waits until the account is open', () => {
    const story = working().hear({ kind: 'account-changed', state: 'paused', until: null });
    story.hear({ kind: 'message-ordered', id: 'm', text: 'and this' });
    expect(story.worker.inFlight).toBeNull();
    expect(story.worker.deadlines.nudge).toBeUndefined();

    story.hear({ kind: 'account-changed', state: 'open', until: null });

    expect(story.last).toMatchObject({ kind: 'deliver', text: 'and this' });
  });

  test('given a limit, when this worker probes and works again, then the account answers', () => {
    const story = working().see(failing('usage-limit'));
    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'account', event: 'limit-hit' }));

    story.hear({ kind: 'account-changed', state: 'paused', until: null });
    story.hear({ kind: 'account-changed', state: 'probe', until: null }).delivered().see(BUSY).see(BUSY);

    expect(story.records).toContainEqual({ kind: 'account', event: 'answered', resetAt: null });
    expect(story.worker.account).toBeNull();
  });

  test('given waits at a limit, when there are many, then none of them spends the budget', () => {
    const story = working();
    for (let time = 0; time < 12; time += 1) story.see(failing('rate-limit')).pass('trouble').delivered().see(BUSY);

    expect(story.worker).toMatchObject({ status: 'working', taskAttempts: 0 });
  });
});

describe('checkpoints', () => {
  test('given a task, when its work changes, then it is saved at the start and once a minute', () => {
    const story = working().see(BUSY).see(BUSY);

    story.pass('checkpoint');

    expect(story.saves.map(({ type }) => type)).toEqual(['session_start', 'periodic']);
    expect(story.worker.deadlines.checkpoint).toBeUndefined();
  });

  test('given a save that fails, when it does, then it is a row of the error log and nothing waits for it', () => {
    const story = working();
    story.savesAtOnce = false;
    story.hear({ kind: 'checkpoint-ordered', id: 'c', why: 'by hand' });

    story.answer({ kind: 'failed', code: 'disk-full', message: 'no space left', retry: true });

    expect(story.records).toEqual([expect.objectContaining({ kind: 'error', incident: null, component: SAVING })]);
    expect(story.worker).toMatchObject({ incident: null, checkpointDue: null, holdUntil: null });
  });

  test('given a checkpoint, when a person brings the worker back to it, then session, worktree and task are as then', () => {
    const checkpoint = { id: 'c', commit: 'c1', conversation: 'k1', prompt: null };
    const story = working().hear({ kind: 'restore-ordered', checkpoint, resetAgent: false });
    expect(story.last).toEqual({ kind: 'close' });

    story.answer({ kind: 'closed' }).answer({ kind: 'restored', head: 'aaaa', saved: null });

    expect(story.last).toMatchObject({ kind: 'open', launch: { kind: 'resume', conversation: 'k1' } });
  });
});

type AgentError = Extract<AgentState, { kind: 'error' }>;

function failing(error: AgentError['error']): AgentError {
  return { kind: 'error', error, recoverable: false, text: `${error}: no`, resets: null, composer: { kind: 'empty' } };
}

function withEverything(): Story {
  const story = working();
  story.policy = { ...DEFAULT_POLICY, substitutes: [{ profile: 'sim', by: ['codex'] }] };
  story.othersIdle = 1;
  return story;
}

/** Whatever is tried, the same error comes again. */
function failsAgain(story: Story, state: AgentState): void {
  switch (story.worker.inFlight?.op.kind) {
    case 'look':
      return void story.looked(state);
    case 'respawn':
      return void story.opened().see(READY);
    case 'deliver':
      return void story.delivered().see(BUSY).see(state);
    default:
      return void (story.worker.deadlines.trouble === undefined ? story.see(state) : story.pass('trouble'));
  }
}

/** Three tries were spent, and the agent is to be started again. */
function atLevelTwo(): Story {
  const story = working().see(failing('api'));
  while (story.worker.incident?.level === 1) failsAgain(story, failing('api'));
  expect(story.last).toMatchObject({ kind: 'look' });
  return story;
}
