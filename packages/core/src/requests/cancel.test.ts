/** Cancels a task: in every state of its worker, with any agent and machine. */
import { describe, expect, test } from 'vitest';
import { ASKED, beingRebased, BUSY, CONFLICT, idle, inReview, READY, resolving, working } from '../testing/story.ts';
import type { Story } from '../testing/story.ts';

/** Returns the kinds of the commands since the story had `before` of them. */
function since({ commands }: Story, before: number): readonly string[] {
  return commands.slice(before).map(({ kind }) => kind);
}

function taskOf({ worker: { task } }: Story): string {
  return task.kind === 'none' ? 'none' : task.id;
}

function cancel(story: Story, task = taskOf(story)): Story {
  return story.hear({ kind: 'cancel-requested', id: 'kept', task, by: 'ana' });
}

const AT_REST = { kind: 'at-rest', pressed: 1 } as const;
const LIMITED = {
  kind: 'error',
  error: 'usage-limit',
  recoverable: false,
  text: 'limit',
  resets: null,
  composer: { kind: 'empty' },
} as const;
const ASKS = {
  kind: 'permission',
  tool: 'Bash',
  command: 'rm',
  dialog: { kind: 'permission', title: 'May I?', body: '', options: [{ label: 'Yes', highlighted: true }] },
} as const;

/** Gives a task to a worker whose agent is not up yet. */
function starting(): Story {
  return idle().hear({ kind: 'start-requested', taskId: 't', prompt: 'p', text: 'the task' });
}

describe('a task that is cancelled', () => {
  test('given an agent at work, when its task is cancelled, then it is interrupted, its work is saved, and its conversation stays', () => {
    const story = working();
    const before = story.commands.length;

    cancel(story);

    expect(story.records).toContainEqual({ kind: 'task', id: 't1', status: 'cancelled' });
    expect(story.worker).toMatchObject({
      lifecycle: { status: 'idle', note: 'its task was cancelled by ana' },
      task: { kind: 'none' },
    });
    expect(story.saves.filter(({ type }) => type === 'manual')).toEqual([]);
    story.answer(AT_REST);
    expect(since(story, before)).toEqual(['interrupt']);
    expect(story.saves.at(-1)).toMatchObject({ id: 'kept', type: 'manual', why: 'its task was cancelled by ana' });
    expect(story.worker.session).toMatchObject({
      interrupt: null,
      replacement: { kind: 'none' },
      conversation: { used: true },
    });
  });

  test.each([
    ['whose task is not given yet', starting],
    ['that waits for a limit', () => working().see(LIMITED)],
    ['that crashed and starts again', () => working().exit(1)],
    ['that asks for a permission', () => working().see(ASKS)],
    ['that stopped with a question', () => working().see(ASKED).pass('settle').checked(ASKED)],
    ['that is in error', () => working().exit(101, null, ['panic: oh no'])],
    ['whose session is gone', () => working().hear({ kind: 'panes-listed', pane: null })],
    ['whose work was sent back', () => inReview().hear({ kind: 'reject-requested', id: 'r', text: 'no' })],
    ['that is being rebased', () => beingRebased().answer(CONFLICT)],
    ['that resolves conflicts', resolving],
    ['whose machine is silent', () => working().hear({ kind: 'machine-lost', silentMs: 600_000 })],
    ['in whose terminal a person works', () => takenOver()],
  ])(
    'given a worker %s, when its task is cancelled, then it is free, nobody is asked, and no text reaches its agent',
    (_, make) => {
      const story = make();

      cancel(story);

      expect(story.reply).toEqual({ kind: 'accepted' });
      expect(story.records.filter(({ kind }) => kind === 'task')).toEqual([
        { kind: 'task', id: expect.any(String), status: 'cancelled' },
      ]);
      const { lifecycle, task, incident, mailbox, dialog, merge } = story.worker;
      expect(lifecycle.status === 'offline' ? lifecycle.before : lifecycle.status).toBe('idle');
      expect([task.kind, incident.open, mailbox.current, mailbox.restoreDue, dialog.inHand, merge.rebaseDue]).toEqual([
        'none',
        null,
        null,
        false,
        null,
        false,
      ]);
    },
  );

  test('given a question to a person, when the task is cancelled, then the question is closed', () => {
    const story = working().see(ASKS);
    const asked = story.worker.incident.open?.id;

    cancel(story);

    expect(story.records).toContainEqual({
      kind: 'escalation-closed',
      incident: asked,
      how: 'cancelled',
      option: null,
    });
  });

  test('given a task that is cancelled, when the next one is given at once, then the agent stops before its worktree is made fresh', () => {
    const story = working();
    const before = story.commands.length;

    cancel(story).hear({ kind: 'start-requested', taskId: 't2', prompt: 'p', text: 'the next' });
    story.answer(AT_REST);

    expect(since(story, before)).toEqual(['interrupt', 'prepare']);
  });

  test('given a text that is being typed, when the task is cancelled, then the agent is stopped after it, also if its turn shows late', () => {
    const story = starting().answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null });
    while (story.last?.kind !== 'deliver') story.opened().see(READY);
    const before = story.commands.length;

    cancel(story);
    expect(since(story, before)).toEqual([]);
    story.delivered();

    expect(story.last).toMatchObject({ kind: 'interrupt', standsMs: story.policy.turnShowsMs });
    // A conversation that may hold a part of a text does not serve the next task.
    story.answer(AT_REST);
    expect(story.last).toMatchObject({ kind: 'respawn', force: true, launch: { kind: 'fresh' } });
  });
});

describe('an agent that does not stop', () => {
  test('given an agent that goes on whatever is pressed, when its task is cancelled, then it is started again with its conversation', () => {
    const story = working();
    const { conversation } = story.worker.session;

    cancel(story).answer({ kind: 'not-interrupted', why: 'it goes on after 2 key(s)' });

    expect(story.last).toMatchObject({
      kind: 'respawn',
      force: true,
      launch: { kind: 'resume', conversation: conversation?.id },
    });
    expect(story.saves.at(-1)).toMatchObject({ id: 'kept' });
    story.opened().see(READY);
    expect(story.worker).toMatchObject({ lifecycle: { status: 'idle' }, session: { interrupt: null } });
    expect(story.commands.filter(({ kind }) => kind === 'interrupt')).toHaveLength(1);
  });

  test('given a machine that cannot read it, when a task is cancelled, then its agent is started again', () => {
    const story = cancel(working());

    story.answer({ kind: 'failed', code: 'unreadable', message: 'not known', retry: false });

    expect(story.last).toMatchObject({ kind: 'respawn', force: true });
  });

  test('given a machine agent that died at it, when it is there again, then it is tried again, and not without an end', () => {
    const story = cancel(working());

    for (let times = 0; story.last?.kind === 'interrupt'; times += 1) {
      expect(times).toBeLessThan(10);
      story.answer({ kind: 'unknown', why: 'the agent died' });
      if (story.worker.deadlines.hold !== undefined) story.pass('hold');
    }

    expect(story.last).toMatchObject({ kind: 'respawn', force: true });
  });

  test('given an agent that ends when it is interrupted, when that is seen, then nothing is interrupted any more', () => {
    const story = cancel(working());

    story.exit(130).answer({ kind: 'pane-gone' });

    expect(story.worker.session.interrupt).toBeNull();
  });
});

describe('what cannot be cancelled', () => {
  test.each([
    ['a task that is over', working, 'another', 'no-task'],
    ['work that waits for review', inReview, undefined, 'in-review'],
    ['work that is being merged', () => inReview().accepted(), undefined, 'accepting'],
    [
      'the task of a worker that is being removed',
      () => working().hear({ kind: 'nuke-requested', force: true, task: 'drop' }),
      undefined,
      'leaving',
    ],
  ] as const)('given %s, when it is cancelled, then that is refused with what to do instead', (_, make, task, code) => {
    const story = make();

    cancel(story, task);

    expect(story.reply).toMatchObject({ kind: 'refused', code });
  });

  test('given two people who cancel the same task at once, when the second is heard, then the next task goes on', () => {
    const story = working();
    const first = taskOf(story);
    cancel(story).answer(AT_REST).hear({ kind: 'start-requested', taskId: 't2', prompt: 'p', text: 'the next' });

    cancel(story, first);

    expect(story.reply).toMatchObject({ kind: 'refused', code: 'no-task' });
    expect(story.worker.task).toMatchObject({ id: 't2' });
  });
});

function takenOver(): Story {
  const story = working().see(ASKED).pass('settle').checked(ASKED);
  const incident = story.worker.incident.open?.id ?? '';
  return story.hear({ kind: 'escalation-answered', incident, option: 'take-over', text: null, by: 'ben' }).see(BUSY);
}
