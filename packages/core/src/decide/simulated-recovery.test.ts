/** Stories of recovery that the simulation found (docs/adr/0050-simulation.md). Each was a broken promise once. */
import { expect, test } from 'vitest';
import { BUSY, GIT, idle, inReview, READY, working } from '../testing/story.ts';
import type { Story } from '../testing/story.ts';
import type { AcceptStep } from '../worker/worker.ts';

test('given a task that was ended while its work was being saved, when the next task comes, then it has a fresh agent', () => {
  const story = blocked();
  story.savesAtOnce = false;
  answer(story, 'skip');
  expect(story.worker).toMatchObject({ status: 'idle', respawnDue: true });
  expect(story.last?.kind).toBe('checkpoint');

  story.hear({ kind: 'start-ordered', taskId: 't2', prompt: 'next', text: 'next' });
  story.answer({ kind: 'checkpointed', commit: null, head: 'aaaa', dirty: 0 });
  story.answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null });

  expect(story.last).toMatchObject({ kind: 'respawn', force: true, launch: { kind: 'fresh' } });
});

test('given words of a person on their way, when the work is brought back to a checkpoint, then they follow the task', () => {
  const story = working().see(BUSY).hear({ kind: 'message-ordered', id: 'm1', text: 'mind the gap' });

  story.hear({
    kind: 'restore-ordered',
    checkpoint: { id: 'c1', commit: 'cccc', conversation: null, prompt: null },
    resetAgent: false,
  });

  const { outgoing, backlog } = story.worker;
  expect([outgoing, ...backlog].map((text) => text?.text)).toContain('mind the gap');
});

test('given work that is brought back to a checkpoint, when its old session asks something once more, then nobody is asked, and the task is given again', () => {
  const story = working().see(QUESTION);
  expect(story.worker.status).toBe('needs_input');
  const checkpoint = { id: 'c1', commit: 'cccc', conversation: null, prompt: null };
  story.hear({ kind: 'restore-ordered', checkpoint, resetAgent: false });

  story.see(QUESTION);
  expect(story.worker.status).toBe('working');
  story.answer({ kind: 'closed' }).answer({ kind: 'restored', head: 'aaaa', saved: null }).opened().see(READY);

  expect(story.worker.outgoing?.purpose).toBe('restored');
  expect(story.last).toMatchObject({ kind: 'deliver' });
});

test('given a worker that was taken over after its crashes, when it is given back, then its crashes are counted anew', () => {
  const story = answer(working().exit(1, null, ['panic: out of memory']), 'take-over');

  story.hear({ kind: 'message-ordered', id: 'm1', text: 'go on' });

  expect(story.worker).toMatchObject({ status: 'working', crashes: { count: 0 }, taskAttempts: 0 });
});

test('given a rebase under way, when a person takes over before it ends in conflicts, then the worker stays theirs until their next order', () => {
  const story = asksWhileRebased();
  expect(story.last).toMatchObject({ kind: 'rebase' });
  answer(story, 'take-over');

  story.answer({ kind: 'conflict', files: ['a.txt'], prompt: 'resolve them' });

  expect(story.worker).toMatchObject({ status: 'needs_input', takenOver: true, outgoing: { text: 'not good' } });
  story.see(READY).hear({ kind: 'message-ordered', id: 'm', text: 'go on' });
  expect(story.worker.takenOver).toBe(false);
  expect(['working', 'rebasing']).toContain(story.worker.status);
});

test.each([
  ['asked about', (story: Story) => story, []],
  ['who answered', (story: Story) => answer(story, 'Yes'), ['rejected_stale']],
])(
  'given a dialog and a person %s, when a rebase ends in conflicts before the option is chosen, then those have a budget of their own, and the dialog is asked about anew',
  (_, act, application) => {
    const story = asksWhileRebased();
    const asked = story.worker.incident?.id;
    act(story);

    story.answer({ kind: 'conflict', files: ['a.txt'], prompt: 'resolve them' });

    const told = story.records.flatMap((one) => (one.kind === 'answer-applied' ? [one.application] : []));
    expect(told).toEqual(application);
    expect(story.worker).toMatchObject({ status: 'rebasing', dialog: null, incident: { code: 'REBASE_CONFLICT' } });
    expect(story.last).toMatchObject({ kind: 'look' });
    story.looked(QUESTION);
    expect(story.worker).toMatchObject({ status: 'needs_input', incident: { code: 'AGENT_BLOCKED', escalated: true } });
    expect(story.worker.incident?.id).not.toBe(asked);
  },
);

test('given a person who is asked, when a rebase from before fails, then the question stands as it is', () => {
  const story = asksWhileRebased();
  const { incident } = story.worker;

  story.answer({ kind: 'failed', code: 'disk-full', message: 'no space left on device', retry: true });

  expect(story.worker.incident).toEqual(incident);
  expect(story.records).toContainEqual(
    expect.objectContaining({ kind: 'error', message: expect.stringContaining('no space') }),
  );
});

test('given a person who answered the dialog of a worker in error, when something else fails first, then it is not left without a question', () => {
  const story = working().see(BUSY).see(QUESTION);
  const asked = story.worker.incident?.id;
  story.worker = { ...story.worker, status: 'error' };
  answer(story.hear({ kind: 'down-ordered' }), 'Yes');

  story.answer({ kind: 'failed', code: 'disk-full', message: 'no space left on device', retry: true });

  expect(story.worker.incident).toMatchObject({ id: asked });
});

test('given a doubt about an agent, when its session is closed before the second look, then that look is judged once and the session is opened', () => {
  const story = working().see(BUSY);
  const doubt = { looks: 0, mark: null, fresh: false, restore: false, profile: null };
  story.worker = { ...story.worker, pane: { kind: 'absent' }, doubt, respawnDue: true };
  story.pass('check');
  expect(story.last).toMatchObject({ kind: 'look' });

  story.answer({ kind: 'looked', incarnation: null, screen: null, git: GIT, delivery: null });

  expect(story.worker.judgeDue).toBe(false);
  expect(story.last).toMatchObject({ kind: 'open' });
});

test('given a worker in error after its crashes, when a person brings it back to a checkpoint, then its crashes are counted anew', () => {
  const story = working().exit(1, null, ['panic: out of memory']);
  expect(story.worker).toMatchObject({ status: 'error', crashes: { count: 1 } });

  const checkpoint = { id: 'c1', commit: 'cccc', conversation: null, prompt: null };
  story.hear({ kind: 'restore-ordered', checkpoint, resetAgent: false });

  expect(story.worker).toMatchObject({ status: 'working', crashes: { count: 0 }, startFailures: 0, taskAttempts: 0 });
});

test.each(['rebase', 'validate', 'squash', 'fast-forward'] as const)(
  'given a merge, when the worktree is gone at its step "%s", then the merge stops and the worktree is made anew',
  (step) => {
    const story = merging(step);

    story.answer({ kind: 'failed', code: 'worktree-missing', message: 'it is missing', retry: true });

    expect(story.worker).toMatchObject({ status: 'needs_review', accept: null, worktree: { kind: 'none' } });
    expect(story.records).toContainEqual({ kind: 'lease', action: 'release' });
    expect(story.last).toMatchObject({ kind: 'prepare', reset: false });
  },
);

test.each(['error', 'working', 'needs_input'] as const)(
  'given a merge that has begun, when its worker is in %s and a person sends words, then they are refused, for the merge would end with them',
  (status) => {
    const story = merging('validate');
    story.worker = { ...story.worker, status };

    story.hear({ kind: 'message-ordered', id: 'm', text: 'go on' });

    expect(story.reply).toMatchObject({ kind: 'refused', code: 'accepting' });
    expect(story.worker.outgoing).toBeNull();
  },
);

test('given a merge of a worker that was ordered down, when a step of it cannot work, then it stops and the session is closed', () => {
  const story = merging('rebase').hear({ kind: 'down-ordered' });

  story.answer({ kind: 'failed', code: 'worktree-dirty', message: 'changes are not committed', retry: false });

  expect(story.worker.accept).toBeNull();
  expect(story.last?.kind).toBe('close');
});

test('given a task that its agent never had, when its checkpoint cannot be restored, then the task goes out all the same', () => {
  const story = idle().hear({ kind: 'start-ordered', taskId: 't', prompt: 'p', text: 'the task' });
  const checkpoint = { id: 'c', commit: 'cccc', conversation: null, prompt: null };
  story.hear({ kind: 'restore-ordered', checkpoint, resetAgent: false });
  story.answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null }).answer({ kind: 'closed' });
  expect(story.last?.kind).toBe('restore');

  story.answer({ kind: 'failed', code: 'checkpoint-damaged', message: 'an object is missing', retry: false });
  story.opened().see(READY);

  expect(story.last).toMatchObject({ kind: 'deliver' });
  expect(story.worker.outgoing?.text).toContain('the task');
});

test('given a message that a busy program has in its queue, when only the screen told so, then it is remembered until its turn', () => {
  const story = working().hear({ kind: 'message-ordered', id: 'm', text: 'also this' });
  story.answer({ kind: 'unknown', why: 'the agent died' });
  story.looked(BUSY, {}, { kind: 'taken', by: 'screen' });

  story.exit(1);

  expect(story.worker.outgoing).toMatchObject({ text: 'also this' });
});

test('given an account whose probe hangs, when it is asked again and again, then the probe is nudged all the same', () => {
  const story = working().hear({ kind: 'account-changed', state: 'probe', until: null });
  const due = story.worker.deadlines.nudge;

  for (let times = 0; times < 5; times += 1) {
    story.now += 60_000;
    story.hear({ kind: 'account-changed', state: 'probe', until: null });
  }

  expect(story.worker.deadlines.nudge).toBe(due);
});

test('given a worker that waited out an error and then a person, when it is to probe its account, then another one shall', () => {
  const story = blocked();
  const trouble = {
    error: 'overloaded',
    text: 'overloaded',
    since: 1,
    attempts: 1,
    own: false,
    until: story.now + 1e6,
  } as const;
  story.worker = { ...story.worker, trouble };

  story.hear({ kind: 'account-changed', state: 'probe', until: null });

  expect(story.rules).toContain('account:nothing-to-ask');
  expect(story.records).toContainEqual({ kind: 'account', event: 'left', resetAt: null });
});

test('given a probe that stops and waits for a person, when it is asked again, then another one shall probe', () => {
  const story = working().hear({ kind: 'account-changed', state: 'probe', until: null });
  story.see(QUESTION);
  expect(story.worker).toMatchObject({ status: 'needs_input', account: { state: 'probe' } });

  story.hear({ kind: 'account-changed', state: 'probe', until: null });

  expect(story.rules).toContain('account:nothing-to-ask');
});

test('given a worker that a person was asked about, when its session opens without a worktree, then that is made anew', () => {
  const story = working().exit(101, null, ['panic: oh no']).hear({ kind: 'panes-listed', pane: null });
  expect(story.worker).toMatchObject({ status: 'offline', before: 'error' });
  expect(story.last?.kind).toBe('open');

  story.answer({ kind: 'failed', code: 'worktree-missing', message: 'it is missing', retry: true });

  expect(story.last?.kind).toBe('prepare');
});

test('given an agent that shows nothing but its start, when a person takes the worker up again, then it is started anew', () => {
  const story = working().exit(101, null, ['panic: oh no']);
  story.worker = { ...story.worker, pane: { kind: 'up', incarnation: 'life', since: 1 } };
  story.see({ kind: 'starting' });

  story.hear({ kind: 'message-ordered', id: 'm', text: 'go on' });

  expect(story.last).toMatchObject({ kind: 'respawn', force: true });
});

/** A merge at one of its steps. */
function merging(step: AcceptStep): Story {
  const story = inReview().accepted();
  const answers = [() => story.rebased(), () => story.valid(), () => story.squashed('bbbb')];
  for (const answer of answers) if (story.worker.accept?.step !== step) answer();
  expect(story.worker.accept?.step).toBe(step);
  return story;
}

const QUESTION = {
  kind: 'question',
  form: 'multiple-choice',
  dialog: { kind: 'question', title: 'Which way?', body: '', options: [{ label: 'Yes', highlighted: true }] },
} as const;

/** An agent whose work was sent back while a rebase was under way, and that asks something before it ends. */
function asksWhileRebased(): Story {
  const story = inReview().hear({ kind: 'default-branch-moved' });
  return story.hear({ kind: 'reject-ordered', id: 'r', text: 'not good' }).see(BUSY).see(QUESTION);
}

/** An agent that stopped with a question: a person is asked. */
function blocked(): Story {
  return working().see(READY).pass('settle').looked(READY);
}

function answer(story: Story, option: string): Story {
  const incident = story.worker.incident?.id ?? '';
  return story.hear({ kind: 'escalation-answered', incident, option, text: null, by: 'somebody' });
}
