/** Keeps words of a person to a worker that then fails (docs/recovery.md, delivery). */
import { expect, test } from 'vitest';
import { BUSY, idle, READY, working } from '../../testing/story.ts';
import type { Story } from '../../testing/story.ts';

const PANIC = ['panic: oh no'];

test('given words that Drover did not try to type, when the worker failed and another person lets it go on, then they go out before the new ones', () => {
  const story = saidTwice().exit(101, null, PANIC);
  expect(story.worker.incident.open?.held.map(({ text }) => text)).toEqual(['first', 'second']);

  story.hear({ kind: 'message-requested', id: 'm3', text: 'third' });

  expect(textsOf(story)).toEqual(['second', 'third']);
});

test('given words that may have been typed, when a person lets the worker go on with others, then a notice names them', () => {
  const story = saidTwice().exit(101, null, PANIC);

  story.hear({ kind: 'message-requested', id: 'm3', text: 'third' });

  expect(story.records).toContainEqual({ kind: 'notice', text: expect.stringMatching(/not have read: "first"$/) });
});

test.each(['skip', 'take-over'])(
  'given words that wait for a worker in error, when a person chooses "%s", then a notice names them',
  (option) => {
    const story = saidTwice().exit(101, null, PANIC);

    answer(story, option);

    expect(story.records).toContainEqual({ kind: 'notice', text: expect.stringContaining('"first", "second"') });
  },
);

test('given words that wait for a worker in error, when it is brought back to a checkpoint, then they are told after the task', () => {
  const story = saidTwice().exit(101, null, PANIC);

  const checkpoint = { id: 'c1', commit: 'cccc', conversation: null, prompt: null };
  story.hear({ kind: 'restore-requested', checkpoint, resetAgent: false });

  expect(textsOf(story)).toEqual(['first', 'second']);
});

test('given words that wait for an idle worker, when it is given a task, then a notice names them', () => {
  const story = idle();
  story.change({ mailbox: { current: saidTwice().worker.mailbox.current } });

  story.hear({ kind: 'start-requested', taskId: 't2', prompt: 'next', text: 'next' });

  expect(story.records).toContainEqual({ kind: 'notice', text: expect.stringContaining('"first"') });
});

test('given words in the own queue of a program, when the worker is given up, then a notice names them', () => {
  const story = working().see(BUSY);
  const [queued] = saidTwice().worker.mailbox.waiting;
  story.change({ mailbox: { queued: queued === undefined ? [] : [queued] } });

  story.see({
    kind: 'error',
    error: 'auth',
    recoverable: false,
    text: 'log in',
    resets: null,
    composer: { kind: 'none' },
  });

  expect(story.worker.lifecycle.status).toBe('error');
  expect(story.records).toContainEqual({ kind: 'notice', text: expect.stringContaining('"second"') });
});

test('R5: given a task of which it is not known whether it was taken, when the worker is handed over and a person answers with words, then it is checked first', () => {
  const story = idle().hear({ kind: 'start-requested', taskId: 't', prompt: 'p', text: 'the task' });
  story.answer({ kind: 'prepared', base: 'a', head: 'a', saved: null }).answer({ kind: 'unknown', why: 'died' });
  story.hear({ kind: 'repair-requested', repair: { kind: 'ask', why: 'no prompt is on record' } });

  answer(story, 'retry-with-changes');

  expect(story.worker.mailbox.current).toMatchObject({ text: 'the task', verify: expect.any(Number) });
  expect(story.worker.mailbox.waiting).toMatchObject([{ text: 'like this' }]);
  story.checked(READY, {}, { kind: 'taken', by: 'transcript' }).see(BUSY);
  expect(
    story.commands.filter((command) => command.kind === 'deliver' && command.text.includes('the task')),
  ).toHaveLength(1);
});

/** Delivers one message to an agent at work, while another waits for its turn. */
function saidTwice(): Story {
  const story = working().see(BUSY).hear({ kind: 'message-requested', id: 'm1', text: 'first' });
  return story.hear({ kind: 'message-requested', id: 'm2', text: 'second' });
}

function textsOf({ worker: { mailbox } }: Story): readonly string[] {
  return [...(mailbox.current === null ? [] : [mailbox.current]), ...mailbox.waiting].map(({ text }) => text);
}

function answer(story: Story, option: string): void {
  const incident = story.worker.incident.open?.id ?? 'none';
  story.hear({ kind: 'escalation-answered', incident, option, text: 'like this', by: 'ada' });
}
