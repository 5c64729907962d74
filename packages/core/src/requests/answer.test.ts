/** Applies a person's answer, told as stories (docs/recovery.md, the four levels). */
import { describe, expect, test } from 'vitest';
import { BUSY, GIT, inReview, READY, RECEIPT, working } from '../testing/story.ts';
import type { Story } from '../testing/story.ts';
import type { WorkerEvent } from '../worker/event.ts';
import { inHand } from '../worker/task.ts';

describe('an answer to a worker in error', () => {
  test('given a spent budget, when a person is asked, then the options are retry, other words, skip and taking over', () => {
    const story = lostForGood();

    const asked = story.records.find(({ kind }) => kind === 'escalated');
    expect(asked).toMatchObject({ kind: 'escalated', code: 'INPUT_LOST' });
    expect(story.worker.incident.open?.options.map(({ id }) => id)).toEqual([
      'retry',
      'retry-with-changes',
      'skip',
      'take-over',
    ]);
    expect(story.saves.at(-1)).toMatchObject({ type: 'hiccup' });
  });

  test('given a text that was lost, when "retry" is answered, then the same text goes out again with a fresh budget', () => {
    const story = lostForGood();

    answer(story, 'retry').see(READY);

    expect(story.worker).toMatchObject({
      lifecycle: { status: 'working' },
      incident: { open: null },
      task: { attempts: 0 },
    });
    expect(story.last).toMatchObject({ kind: 'deliver', text: 'lost words', method: 'profile' });
    expect(story.worker.mailbox.current?.lost).toBe(0);
  });

  test('given other words, when they are answered, then the task goes on with them at level 3', () => {
    const story = lostForGood();

    answer(story, 'retry-with-changes', 'try the other file').see(READY);

    expect(story.last).toMatchObject({ kind: 'deliver', text: 'try the other file' });
    expect(story.worker.lifecycle.status).toBe('working');
  });

  test('given an agent that crashed too often, when other words are answered, then the task is given again with them', () => {
    const story = working().exit(1).pass('restart').opened().see(READY).delivered();
    while (story.worker.lifecycle.status !== 'error') {
      if (story.worker.session.pane.kind === 'dead') story.pass('restart').opened().see(READY).delivered();
      else story.exit(1);
    }

    answer(story, 'retry-with-changes', 'leave b.txt alone').opened().see(READY);

    expect(story.last).toMatchObject({ kind: 'deliver', text: expect.stringContaining('leave b.txt alone') });
    expect(story.last).toMatchObject({ text: expect.stringContaining(inHand(story.worker.task)?.prompt ?? 'no task') });
    expect(story.worker).toMatchObject({ mailbox: { waiting: [], current: { purpose: 'restored' } } });
  });

  test('given "retry-with-changes", when it brings no words, then it is refused and the question stays open', () => {
    const story = answer(lostForGood(), 'retry-with-changes', ' ');

    expect(story.reply).toMatchObject({ kind: 'refused', code: 'words-missing' });
    expect(story.worker.incident.open?.escalated).toBe(true);
  });

  test('given "skip", when it is answered, then the task is cancelled and the worker is free, with a new agent', () => {
    const story = answer(lostForGood(), 'skip');

    expect(story.worker).toMatchObject({
      lifecycle: { status: 'idle' },
      task: { kind: 'none' },
      incident: { open: null },
    });
    expect(story.records).toContainEqual({ kind: 'task', id: 't1', status: 'cancelled' });
    expect(story.last).toMatchObject({ kind: 'respawn', launch: { kind: 'fresh' } });
  });

  test('given "take-over" after a program that ended, when a check comes, then the task stays with the person', () => {
    const story = answer(working().exit(1, null, ['panic: out of memory']), 'take-over').pass('check');

    story.answer({ kind: 'observed', incarnation: story.incarnation, screen: null, git: GIT, delivery: null });

    expect(story.worker).toMatchObject({ lifecycle: { status: 'needs_input', takenOver: true }, task: { id: 't1' } });
  });

  test('given "take-over", when hours pass, then nothing is typed and the agent is not nudged until a request by a person', () => {
    const story = answer(lostForGood(), 'take-over').see(BUSY);
    expect(story.worker).toMatchObject({ lifecycle: { status: 'needs_input', takenOver: true } });
    const typed = story.commands.length;

    for (let minute = 0; minute < 90; minute += 1) story.pass('check').checked(BUSY);
    expect(story.commands.slice(typed).every(({ kind }) => kind === 'observe')).toBe(true);
    expect(story.worker.deadlines.nudge).toBeUndefined();
    story.hear({ kind: 'message-requested', id: 'm', text: 'go on' });

    expect(story.worker).toMatchObject({ lifecycle: { status: 'working', takenOver: false } });
  });

  test('R8: given an answer, when it comes twice, then the second changes nothing', () => {
    const story = lostForGood();
    const event = answerTo(story, 'skip');
    story.hear(event);
    const { worker } = story;

    story.hear(event);

    expect(story.reply).toMatchObject({ kind: 'refused', code: 'stale' });
    expect({ ...story.worker, deadlines: {} }).toEqual({ ...worker, deadlines: {} });
  });

  test('given a question, when a message lets the worker go on, then the question is resolved', () => {
    const story = lostForGood().hear({ kind: 'message-requested', id: 'm', text: 'go on' });

    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'escalation-closed', how: 'resolved' }));
    expect(story.worker.incident.open).toBeNull();
  });

  test('given work in review, when its agent cannot be started and "retry" is answered, then it waits for review again', () => {
    const story = inReview();
    for (let crash = 0; crash < 2; crash += 1) story.exit(1).pass('restart').opened();
    story.exit(1);
    expect(story.worker.lifecycle.status).toBe('error');

    answer(story, 'retry').opened().see(READY);

    expect(story.worker).toMatchObject({ lifecycle: { status: 'needs_review' }, incident: { open: null } });
  });
});

describe('an agent that stopped', () => {
  test('given a stop without a commit, when a person answers with words, then they are told to the agent', () => {
    const story = working().see(READY).pass('settle').checked(READY);
    expect(story.worker).toMatchObject({
      lifecycle: { status: 'needs_input' },
      incident: { open: { code: 'AGENT_BLOCKED', escalated: true } },
    });

    answer(story, 'retry-with-changes', 'commit it please');

    expect(story.last).toMatchObject({ kind: 'deliver', text: 'commit it please' });
  });

  test('given a question, when the agent goes on by itself, then the question is closed', () => {
    const story = working().see(READY).pass('settle').checked(READY).see(BUSY);
    story.now += story.policy.turnShowsMs;
    story.see(BUSY);

    expect(story.worker).toMatchObject({ lifecycle: { status: 'working' }, incident: { open: null } });
    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'escalation-closed', how: 'resolved' }));
  });
});

function answerTo(story: Story, option: string, text: string | null = null): WorkerEvent {
  return { kind: 'escalation-answered', incident: story.worker.incident.open?.id ?? 'none', option, text, by: 'ada' };
}

function answer(story: Story, option: string, text: string | null = null): Story {
  return story.hear(answerTo(story, option, text));
}

/** Loses a message on every rung. */
function lostForGood(): Story {
  const story = working().hear({ kind: 'message-requested', id: 'm', text: 'lost words' });
  const lost = (): Story => story.answer({ kind: 'lost', receipt: RECEIPT });
  lost().pass('delivery');
  lost().pass('delivery');
  lost().checked(READY).opened().see(READY).pass('delivery');
  lost();
  expect(story.worker.lifecycle.status).toBe('error');
  return story;
}
