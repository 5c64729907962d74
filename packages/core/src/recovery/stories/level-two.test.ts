/** Level 2: the alternatives, when the same again did not help. */
import { describe, expect, test } from 'vitest';
import { newText } from '../../worker/mailbox.ts';
import { DEFAULT_POLICY } from '../../policy/policy.ts';
import { atLevelTwo, failing, failsAgain } from '../../testing/failing.ts';
import { BUSY, READY, working } from '../../testing/story.ts';
import type { Story } from '../../testing/story.ts';
import { countAttempts } from '../../worker/task.ts';

describe('level 2', () => {
  test('given every alternative, when each fails, then they come gentlest first and then a person is asked', () => {
    const story = withEverything().see(failing('api'));
    const kinds: string[] = [];

    while (story.worker.lifecycle.status === 'working' && kinds.length < 12) {
      const incident = story.worker.incident.open;
      if (incident !== null && incident.tried.length > kinds.length) kinds.push(incident.tried.at(-1)?.kind ?? '');
      failsAgain(story, failing('api'));
    }

    expect(kinds).toEqual(['respawn-resumed', 'respawn-clean', 'other-profile']);
    expect(story.worker.incident.open?.tried.map(({ kind }) => kind)).toEqual([...kinds, 'other-worker']);
    expect(story.worker).toMatchObject({ lifecycle: { status: 'error' }, task: { kind: 'none' } });
    expect(story.records).toContainEqual(
      expect.objectContaining({ kind: 'queued', class: 'reassigned', body: 'make it so' }),
    );
  });

  test('given a task for which one worker is the limit, when every alternative failed, then no other worker gets it', () => {
    const story = withEverything();
    const incident = { ...story.policy.incident, workersPerTaskMax: 1 };
    story.policy = { ...story.policy, incident };
    story.see(failing('api'));

    for (let tries = 0; tries < 50 && story.worker.lifecycle.status === 'working'; tries += 1)
      failsAgain(story, failing('api'));

    expect(story.worker).toMatchObject({ lifecycle: { status: 'error' }, task: { kind: 'in-hand' } });
    expect(story.records.map(({ kind }) => kind)).not.toContain('queued');
  });

  test('given words in the own queue of the last alternative, when its task is given to another worker, then a notice names them', () => {
    const story = withEverything().see(failing('api'));
    while ((story.worker.incident.open?.tried.length ?? 0) < 3 || story.last?.kind !== 'deliver')
      failsAgain(story, failing('api'));
    story.delivered().see(BUSY);
    const words = { ...newText('m', 'message', 'mind the gap'), lost: 1 };
    story.change({ mailbox: { queued: [words] } });

    story.see(failing('api'));

    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'queued', class: 'reassigned' }));
    expect(story.records).toContainEqual({ kind: 'notice', text: expect.stringContaining('"mind the gap"') });
  });

  test('given no alternative that applies, when the same again did not help, then that is said before a person is asked', () => {
    const story = working();
    story.policy = { ...story.policy, crash: { ...story.policy.crash, countMax: 1 } };

    story.exit(1);

    expect(story.rules).toEqual(expect.arrayContaining(['alternative:none', 'give-up:AGENT_CRASHED']));
    expect(story.worker.lifecycle.status).toBe('error');
  });

  test('given alternatives that were all tried, when the failure is still there, then that is said before a person is asked', () => {
    const story = working().see(failing('api'));

    while (story.worker.lifecycle.status === 'working') failsAgain(story, failing('api'));

    expect(story.rules).toContain('alternative:none');
    expect(story.worker.incident.open?.tried.map(({ kind }) => kind)).toEqual(['respawn-resumed', 'respawn-clean']);
  });

  test('given a full context, when fresh ones fill too, then the work goes back to its checkpoint', () => {
    const story = withEverything();
    story.saveCommit = 'c1';
    story.hear({ kind: 'checkpoint-requested', id: 'save-1', why: 'by hand' });
    const full = failing('context-exhausted');

    story.see(full).checked(full).opened().see(READY).delivered().see(BUSY).see(full);

    expect(story.worker.incident.open?.tried.at(-1)).toMatchObject({ kind: 'rollback' });
    // R3: the alternative closes the worker's session, so a fresh check must agree.
    expect(story.last).toMatchObject({ kind: 'observe' });
    story.checked(full);
    expect(story.last).toEqual({ kind: 'close' });
    story.answer({ kind: 'closed' });
    expect(story.last).toMatchObject({ kind: 'restore', commit: 'c1' });
    story.answer({ kind: 'restored', head: 'aaaa', saved: 'refs/x' }).opened().see(READY);
    expect(story.last).toMatchObject({ kind: 'deliver', text: expect.stringContaining('make it so') });
  });

  test('given a resumed conversation that shows the error it ended with, when it is up, then its task is given before that counts as a failure', () => {
    const story = atLevelTwo();

    story.checked(failing('api')).opened().see(failing('api'));

    expect(story.worker.incident.open?.tried).toHaveLength(1);
    expect(story.last).toMatchObject({ kind: 'deliver', text: expect.stringContaining('make it so') });
  });

  test('given another profile, when it is taken, then that is written down before the agent is started by it', () => {
    const story = withEverything();
    const full = failing('usage-limit');
    story.policy = { ...story.policy, limit: { ...story.policy.limit, attemptsMax: 0 } };

    story.see(full).checked(full);

    expect(story.records).toContainEqual({ kind: 'profile-changed', from: 'sim', to: 'codex' });
    expect(story.last).toMatchObject({ kind: 'respawn', launch: { kind: 'fresh' } });
  });

  test('given a task with ten attempts behind it, when something fails, then a person is asked at once', () => {
    const story = working();
    story.change({ task: countAttempts(story.worker.task, DEFAULT_POLICY.incident.maxTotalAttempts) });

    story.exit(1);

    expect(story.worker).toMatchObject({ lifecycle: { status: 'error' }, session: { crashes: { count: 1 } } });
    // Its budget is spent: whether something else applies was not asked.
    expect(story.rules).not.toContain('alternative:none');
  });
});

function withEverything(): Story {
  const story = working();
  story.policy = { ...DEFAULT_POLICY, substitutes: [{ profile: 'sim', by: ['codex'] }] };
  story.othersIdle = 1;
  return story;
}
