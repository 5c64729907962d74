/** Requests that give the worker a task or words, send its work back, or are refused. */
import { describe, expect, test } from 'vitest';
import { BUSY, idle, inReview, READY, working } from '../testing/story.ts';
import type { Story } from '../testing/story.ts';
import { CHARACTERS_OF_PEOPLE_MAX, TEXTS_OF_PEOPLE_MAX, unsentTexts } from '../worker/mailbox.ts';
import type { MergeStepKind } from '../merge/step.ts';

const MESSAGE = {
  id: 'm',
  purpose: 'message',
  text: 'hello',
  lost: 0,
  partial: 0,
  refused: 0,
  notBefore: 0,
  verify: null,
  next: 'type',
} as const;

describe('a text in the place of another', () => {
  test('given a text that is being typed, when a task takes its place, then its result says nothing of the task', () => {
    const story = idle();
    story.change({ mailbox: { current: MESSAGE } });
    story.see(READY);
    expect(story.last).toMatchObject({ kind: 'deliver', text: 'hello' });

    story.hear({ kind: 'start-requested', taskId: 't', prompt: 'p', text: 'the task' }).delivered();

    expect(story.worker.mailbox.current).toMatchObject({ purpose: 'task', text: 'the task' });
    expect(story.worker).toMatchObject({
      turn: { phase: { kind: 'none' } },
      session: { replacement: { kind: 'due' }, conversation: null },
    });
  });

  test('given a text of unknown fate, when a task takes its place, then the task is not looked for under its number', () => {
    const story = idle();
    story.change({ mailbox: { current: MESSAGE } });
    story.see(READY);

    story.hear({ kind: 'start-requested', taskId: 't', prompt: 'p', text: 'the task' });
    story.answer({ kind: 'unknown', why: 'the agent died' });

    expect(story.worker.mailbox.current).toMatchObject({ text: 'the task', verify: null });
  });
});

describe('a task that begins on existing work', () => {
  const from = { commit: 'cccc', name: 'branch "feat/x" of "/srv/app"' };
  const START = { kind: 'start-requested', taskId: 't', prompt: 'p', text: 'the task', from } as const;

  test('given such a task, when its place is prepared, also again after a failure, then it is brought to that very commit', () => {
    const story = idle().hear(START);
    expect(story.last).toMatchObject({ kind: 'prepare', reset: true, from: 'cccc' });
    expect(story.records).toContainEqual({
      kind: 'notice',
      text: 'its task begins on branch "feat/x" of "/srv/app" at cccc; a review also shows the earlier commits',
    });

    story.answer({ kind: 'failed', code: 'disk-full', message: 'no space left', retry: true });
    while (story.worker.command.inFlight === null) story.pass('hold');

    expect(story.last).toMatchObject({ kind: 'prepare', reset: true, from: 'cccc' });
  });

  test('given one that was begun there, when the next task begins, then it begins on the default branch', () => {
    const story = idle().hear(START).answer({ kind: 'prepared', base: 'aaaa', head: 'cccc', saved: null });
    expect(story.worker.task).toMatchObject({ headBefore: 'cccc' });
    expect(story.worker.worktree.place).toMatchObject({ base: 'aaaa' });

    const next = idle().hear({ ...START, from: undefined });

    expect(next.last).toMatchObject({ kind: 'prepare', reset: true });
    expect(next.last).not.toHaveProperty('from');
  });
});

function say(story: Story, text: string): void {
  story.hear({ kind: 'message-requested', id: `m${story.worker.mailbox.waiting.length}`, text });
}

describe('messages that no agent takes', () => {
  test('given a machine that is silent, when people go on writing, then the twenty-first message is refused and nothing grows', () => {
    const story = working();

    for (let count = 0; count < 30; count++) say(story, 'hello');

    expect(story.reply).toMatchObject({ kind: 'refused', code: 'mailbox-full' });
    expect(unsentTexts(story.worker.mailbox)).toHaveLength(TEXTS_OF_PEOPLE_MAX);
  });

  test('given a long message that waits, when another one would make it more than a mebi of characters, then that one is refused', () => {
    const story = working();

    say(story, 'x'.repeat(CHARACTERS_OF_PEOPLE_MAX));
    expect(story.reply).toMatchObject({ kind: 'accepted' });
    say(story, 'y');

    expect(story.reply).toMatchObject({ kind: 'refused', code: 'mailbox-full' });
  });
});

describe('a message for a worker without a session', () => {
  test('given an idle worker, when its session is gone, then a message is refused as it is when the session is there', () => {
    const story = idle().hear({ kind: 'panes-listed', pane: null });
    expect(story.worker).toMatchObject({ lifecycle: { status: 'offline', before: 'idle' } });

    story.hear({ kind: 'message-requested', id: 'm', text: 'hello' });

    expect(story.reply).toMatchObject({ kind: 'refused', code: 'not-working' });
  });

  test('given a worker in error, when its session is gone and a message comes, then it goes on and is told', () => {
    const story = working().exit(101, null, ['panic: oh no']).hear({ kind: 'panes-listed', pane: null });
    expect(story.worker).toMatchObject({ lifecycle: { status: 'offline', before: 'error' } });

    story.hear({ kind: 'message-requested', id: 'm', text: 'go on' }).opened().see(READY);

    expect(story.worker.lifecycle.status).toBe('working');
    expect(story.worker.mailbox.waiting.concat(story.worker.mailbox.current ?? [])).toContainEqual(
      expect.objectContaining({ text: 'go on' }),
    );
  });
});

describe('a task that never reached its agent', () => {
  test('given an error before the task was taken, when a message lets it go on, then the task goes out before it', () => {
    const story = idle().hear({ kind: 'start-requested', taskId: 't', prompt: 'p', text: 'the task' });
    story.answer({ kind: 'failed', code: 'read-only', message: 'read-only file system', retry: false });
    expect(story.worker.lifecycle.status).toBe('error');

    story.hear({ kind: 'message-requested', id: 'm', text: 'it is writable now' });
    story.answer({ kind: 'prepared', base: 'a', head: 'a', saved: null }).delivered().see(BUSY);

    const texts = story.commands.flatMap((command) => (command.kind === 'deliver' ? [command.text] : []));
    expect(texts).toEqual(['the task', 'it is writable now']);
  });

  test('R5: given a task of which it is not known whether it was taken, when a message comes, then it is given with a note', () => {
    const story = idle().hear({ kind: 'start-requested', taskId: 't', prompt: 'p', text: 'the task' });
    story.answer({ kind: 'prepared', base: 'a', head: 'a', saved: null }).answer({ kind: 'unknown', why: 'died' });
    while (story.worker.lifecycle.status !== 'error') {
      if (story.worker.command.inFlight === null) story.pass('hold');
      else story.checked(BUSY, {}, { kind: 'unclear', why: 'another text is in the box' });
    }

    story.hear({ kind: 'message-requested', id: 'm', text: 'go on' }).see(READY);

    const { text } = story.last as { text: string };
    expect(text).toContain('the session was cut off');
  });
});

describe('a task', () => {
  test('given a message to a busy agent, when it is delivered, then it may be queued', () => {
    const story = working().hear({ kind: 'message-requested', id: 'm', text: 'also this' });

    expect(story.last).toMatchObject({ kind: 'deliver', text: 'also this', mayQueue: true });
  });

  test('given a second task, when the conversation was used, then the agent starts afresh before it is delivered', () => {
    const story = working().exit(0).checked(READY);
    const first = story.worker.session.conversation;

    story.hear({ kind: 'start-requested', taskId: 't2', prompt: 'next', text: 'next' });
    story.answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null });

    expect(first?.used).toBe(true);
    expect(story.last).toMatchObject({ kind: 'respawn', launch: { kind: 'fresh' } });
    expect(story.worker.session.conversation?.id).not.toBe(first?.id);
  });
});

describe('review', () => {
  test('given feedback, when the agent stops at the commit that was rejected, then it needs input', () => {
    const story = inReview().hear({ kind: 'reject-requested', id: 'r', text: 'better' });
    expect(story.worker.lifecycle.status).toBe('rejected');

    story.delivered().see(BUSY).see(READY).pass('settle').checked(READY, { head: 'bbbb', ahead: 1 });

    expect(story.worker.lifecycle.status).toBe('needs_input');
  });

  test('given feedback, when the agent commits again, then its work waits for review again', () => {
    const story = inReview().hear({ kind: 'reject-requested', id: 'r', text: 'better' });

    story
      .delivered()
      .see(BUSY)
      .see(READY)
      .pass('settle')
      .checked(READY, { head: 'cccc', ahead: 2 })
      .candidate()
      .valid();

    expect(story.worker.lifecycle.status).toBe('needs_review');
  });
});

describe('requests that are refused', () => {
  test.each([
    [
      'a task for a busy worker',
      working(),
      { kind: 'start-requested', taskId: 't', prompt: 'p', text: 'p' } as const,
      'busy',
    ],
    ['a message to an idle worker', idle(), { kind: 'message-requested', id: 'm', text: 'x' } as const, 'not-working'],
    ['a rejection of nothing', working(), { kind: 'reject-requested', id: 'r', text: 'x' } as const, 'not-in-review'],
    [
      'an accept of nothing',
      idle(),
      { kind: 'accept-requested', pin: { head: 'bbbb', tree: null } } as const,
      'not-in-review',
    ],
    ['the removal of a busy worker', working(), { kind: 'nuke-requested', force: false } as const, 'unmerged'],
    ['the removal of unmerged work', inReview(), { kind: 'nuke-requested', force: false } as const, 'unmerged'],
  ])('given %s, when it is requested, then it is refused and nothing changes', (_what, story, event, code) => {
    const before = story.worker;

    story.hear(event);

    expect(story.reply).toMatchObject({ kind: 'refused', code });
    expect({ ...story.worker, deadlines: {} }).toEqual({ ...before, deadlines: {} });
  });
});

test('given a task that was ended while its work was being saved, when the next task comes, then it has a fresh agent', () => {
  const story = blocked();
  story.savesAtOnce = false;
  answer(story, 'skip');
  expect(story.worker).toMatchObject({ lifecycle: { status: 'idle' }, session: { replacement: { kind: 'due' } } });
  expect(story.last?.kind).toBe('checkpoint');

  story.hear({ kind: 'start-requested', taskId: 't2', prompt: 'next', text: 'next' });
  story.answer({ kind: 'checkpointed', commit: null, head: 'aaaa', dirty: 0 });
  story.answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null });

  expect(story.last).toMatchObject({ kind: 'respawn', force: true, launch: { kind: 'fresh' } });
});

test.each(['error', 'working', 'needs_input'] as const)(
  'given a merge that has begun, when its worker is in %s and a person sends words, then they are refused, for the merge would end with them',
  (status) => {
    const story = merging('checking');
    story.change({ lifecycle: { status } });

    story.hear({ kind: 'message-requested', id: 'm', text: 'go on' });

    expect(story.reply).toMatchObject({ kind: 'refused', code: 'accepting' });
    expect(story.worker.mailbox.current).toBeNull();
  },
);

/** Takes a merge to one of its steps. */
function merging(step: MergeStepKind): Story {
  const story = inReview().accepted();
  const answers = [() => story.candidate({ base: 'dddd' }), () => story.valid()];
  for (const answer of answers) if (story.worker.merge.step.kind !== step) answer();
  expect(story.worker.merge.step.kind).toBe(step);
  return story;
}

/** Stops an agent with a question, so that a person is asked. */
function blocked(): Story {
  return working().see(READY).pass('settle').checked(READY);
}

function answer(story: Story, option: string): Story {
  const incident = story.worker.incident.open?.id ?? '';
  return story.hear({ kind: 'escalation-answered', incident, option, text: null, by: 'somebody' });
}
