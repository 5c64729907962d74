/** What follows when a text was lost, or nobody knows what became of it, told as stories? The letters are those of docs/recovery.md. */
import { describe, expect, test } from 'vitest';
import { BUSY, idle, READY, RECEIPT, working } from '../testing/story.ts';
import type { Story } from '../testing/story.ts';

describe('lost input', () => {
  test('given a text that is never taken, when every rung was tried, then a person is told after 17 s of waiting', () => {
    const story = idle().hear({ kind: 'start-ordered', taskId: 't', prompt: 'p', text: 'p' });
    story.answer({ kind: 'prepared', base: 'a', head: 'a', saved: null });
    const start = story.now;

    lost(story).pass('delivery');
    expect(story.last).toMatchObject({ method: 'typed', settleMs: 200 });
    lost(story).pass('delivery');
    expect(story.last).toMatchObject({ method: 'buffer' });
    lost(story).looked(READY);
    expect(story.last).toMatchObject({ kind: 'respawn', force: true });
    story.opened().see(READY).pass('delivery');
    lost(story);

    expect(story.worker.status).toBe('error');
    expect(story.now - start).toBeLessThan(18_000);
  });

  test('R5: given an unknown outcome, when the look finds the prompt taken, then it is not typed again', () => {
    const story = idle().hear({ kind: 'start-ordered', taskId: 't', prompt: 'p', text: 'p' });
    story.answer({ kind: 'prepared', base: 'a', head: 'a', saved: null });
    const seq = story.worker.inFlight?.seq;

    story.answer({ kind: 'unknown', why: 'the agent died' });
    expect(story.last).toMatchObject({ kind: 'look', delivery: seq });
    story.answer({
      kind: 'looked',
      incarnation: story.incarnation,
      screen: null,
      git: null,
      delivery: { kind: 'taken', by: 'transcript' },
    });

    expect(story.worker.outgoing).toBeNull();
    expect(story.ops.filter(({ kind }) => kind === 'deliver')).toHaveLength(1);
  });

  test('given an unknown outcome whose machine could tell what it saw, when it comes, then that is kept as a receipt', () => {
    const story = idle().hear({ kind: 'start-ordered', taskId: 't', prompt: 'p', text: 'p' });
    story.answer({ kind: 'prepared', base: 'a', head: 'a', saved: null });

    story.answer({ kind: 'unknown', why: 'no turn was seen', receipt: RECEIPT });

    const kept = { kind: 'receipt', purpose: 'task', outcome: 'unknown', receipt: RECEIPT };
    expect(story.records).toContainEqual(expect.objectContaining(kept));
    expect(story.rules).toContain('delivery-unknown');
  });

  test('given an agent that took its prompt and finished while nobody looked, when the look finds both, then its work is judged', () => {
    const story = idle().hear({ kind: 'start-ordered', taskId: 't', prompt: 'p', text: 'p' });
    story.answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null });
    story.answer({ kind: 'unknown', why: 'the agent died' }).see(READY);

    // The screen does not change any more: no other observation will come.
    story.looked(READY, {}, { kind: 'taken', by: 'transcript' });
    story.pass('settle').looked(READY, { head: 'bbbb', ahead: 1 });

    expect(story.worker.status).toBe('needs_review');
  });

  test.each([
    ['whole', 'in-box-whole', { enterOnly: true }],
    ['in part', 'in-box-part', { clearFirst: true }],
    ['not at all', 'absent', { enterOnly: false, clearFirst: false }],
  ] as const)(
    'R5: given an unknown outcome, when the text stands in the box %s, then the next attempt knows',
    (_how, kind, expected) => {
      const story = idle().hear({ kind: 'start-ordered', taskId: 't', prompt: 'p', text: 'p' });
      story
        .answer({ kind: 'prepared', base: 'a', head: 'a', saved: null })
        .answer({ kind: 'unknown', why: 'the agent died' });

      story.answer({ kind: 'looked', incarnation: story.incarnation, screen: null, git: null, delivery: { kind } });

      expect(story.last).toMatchObject({ kind: 'deliver', ...expected });
    },
  );

  test('R5: given a program with words in its own queue, when a look between its turns does not find another text, then it is typed again only if the prompt stays', () => {
    const story = working().see(BUSY).hear({ kind: 'message-ordered', id: 'm1', text: 'first' });
    story.answer({ kind: 'queued', at: story.now, receipt: RECEIPT });
    story.hear({ kind: 'message-ordered', id: 'm2', text: 'second' });
    story.answer({ kind: 'unknown', why: 'a turn began, and the transcript lacks the text' });

    story.looked(READY, {}, { kind: 'absent' });
    expect(story.worker).toMatchObject({ inFlight: null, outgoing: { id: 'm2', verify: expect.any(Number) } });

    story.pass('settle').looked(READY).looked(READY, {}, { kind: 'absent' });
    expect(story.last).toMatchObject({ kind: 'deliver', text: 'second' });
  });

  test('given a partial send, when it happens, then the box is cleared before the text is typed again', () => {
    const story = idle().hear({ kind: 'start-ordered', taskId: 't', prompt: 'p', text: 'p' });
    story.answer({ kind: 'prepared', base: 'a', head: 'a', saved: null });

    story.answer({ kind: 'partial', receipt: RECEIPT }).pass('delivery');

    expect(story.last).toMatchObject({ kind: 'deliver', clearFirst: true, settleMs: 200 });
  });
});

function lost(story: Story): Story {
  return story.answer({ kind: 'lost', receipt: RECEIPT });
}
