/** Texts that the agent did not take, or may not have taken (docs/recovery.md, delivery). */
import { describe, expect, test } from 'vitest';
import type { CommandResult } from '../../machine/commands.ts';
import { BUSY, idle, READY, RECEIPT, working } from '../../testing/story.ts';
import type { Story } from '../../testing/story.ts';

const LOST: CommandResult = { kind: 'lost', receipt: RECEIPT };

const NO_WORKTREE: CommandResult = {
  kind: 'failed',
  code: 'worktree-missing',
  message: 'no such directory',
  retry: false,
};

describe('lost input', () => {
  test('given a text that is never taken, when every rung was tried, then a person is told, after 17 s of pauses between the attempts', () => {
    const story = idle().hear({ kind: 'start-requested', taskId: 't', prompt: 'p', text: 'p' });
    story.answer({ kind: 'prepared', base: 'a', head: 'a', saved: null });
    const start = story.now;

    lost(story).pass('delivery');
    expect(story.last).toMatchObject({ method: 'typed', settleMs: 200 });
    lost(story).pass('delivery');
    expect(story.last).toMatchObject({ method: 'buffer' });
    lost(story).checked(READY);
    expect(story.last).toMatchObject({ kind: 'respawn', force: true });
    story.opened().see(READY).pass('delivery');
    lost(story);

    expect(story.worker.lifecycle.status).toBe('error');
    expect(story.now - start).toBeLessThan(18_000);
  });

  test('R5: given an unknown outcome, when the check finds the prompt taken, then it is not typed again', () => {
    const story = idle().hear({ kind: 'start-requested', taskId: 't', prompt: 'p', text: 'p' });
    story.answer({ kind: 'prepared', base: 'a', head: 'a', saved: null });
    const seq = story.worker.command.inFlight?.seq;

    story.answer({ kind: 'unknown', why: 'the agent died' });
    expect(story.last).toMatchObject({ kind: 'observe', delivery: seq });
    story.answer({
      kind: 'observed',
      incarnation: story.incarnation,
      screen: null,
      git: null,
      delivery: { kind: 'taken', by: 'transcript' },
    });

    expect(story.worker.mailbox.current).toBeNull();
    expect(story.commands.filter(({ kind }) => kind === 'deliver')).toHaveLength(1);
  });

  test('given an unknown outcome whose machine could tell what it saw, when it comes, then that is kept as a receipt', () => {
    const story = idle().hear({ kind: 'start-requested', taskId: 't', prompt: 'p', text: 'p' });
    story.answer({ kind: 'prepared', base: 'a', head: 'a', saved: null });

    story.answer({ kind: 'unknown', why: 'no turn was seen', receipt: RECEIPT });

    const kept = { kind: 'receipt', purpose: 'task', outcome: 'unknown', receipt: RECEIPT };
    expect(story.records).toContainEqual(expect.objectContaining(kept));
    expect(story.rules).toContain('delivery-unknown');
  });

  test('given an agent that took its prompt and finished between two checks, when the check finds both, then its work is judged', () => {
    const story = idle().hear({ kind: 'start-requested', taskId: 't', prompt: 'p', text: 'p' });
    story.answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null });
    story.answer({ kind: 'unknown', why: 'the agent died' }).see(READY);

    // The screen does not change any more: no other observation will come.
    story.checked(READY, {}, { kind: 'taken', by: 'transcript' });
    story.pass('settle').checked(READY, { head: 'bbbb', ahead: 1 }).candidate().valid();

    expect(story.worker.lifecycle.status).toBe('needs_review');
  });

  test.each([
    ['whole', 'in-box-whole', { enterOnly: true }],
    ['in part', 'in-box-part', { clearFirst: true }],
    ['not at all', 'absent', { enterOnly: false, clearFirst: false }],
  ] as const)(
    'R5: given an unknown outcome, when the text stands in the box %s, then the next attempt knows',
    (_how, kind, expected) => {
      const story = idle().hear({ kind: 'start-requested', taskId: 't', prompt: 'p', text: 'p' });
      story
        .answer({ kind: 'prepared', base: 'a', head: 'a', saved: null })
        .answer({ kind: 'unknown', why: 'the agent died' });

      story.answer({ kind: 'observed', incarnation: story.incarnation, screen: null, git: null, delivery: { kind } });

      expect(story.last).toMatchObject({ kind: 'deliver', ...expected });
    },
  );

  test('R5: given a program with words in its own queue, when a check between its turns does not find another text, then it is typed again only if the prompt stays', () => {
    const story = working().see(BUSY).hear({ kind: 'message-requested', id: 'm1', text: 'first' });
    story.answer({ kind: 'queued', at: story.now, receipt: RECEIPT });
    story.hear({ kind: 'message-requested', id: 'm2', text: 'second' });
    story.answer({ kind: 'unknown', why: 'a turn began, and the transcript lacks the text' });

    story.checked(READY, {}, { kind: 'absent' });
    expect(story.worker).toMatchObject({
      command: { inFlight: null },
      mailbox: { current: { id: 'm2', verify: expect.any(Number) } },
    });

    story.pass('settle').checked(READY).checked(READY, {}, { kind: 'absent' });
    expect(story.last).toMatchObject({ kind: 'deliver', text: 'second' });
  });

  test('given a partial send, when it happens, then the box is cleared before the text is typed again', () => {
    const story = idle().hear({ kind: 'start-requested', taskId: 't', prompt: 'p', text: 'p' });
    story.answer({ kind: 'prepared', base: 'a', head: 'a', saved: null });

    story.answer({ kind: 'partial', receipt: RECEIPT }).pass('delivery');

    expect(story.last).toMatchObject({ kind: 'deliver', clearFirst: true, settleMs: 200 });
  });
});

test('R2: given a text that a restart did not help, when the next of the same incident is lost too, then a person is asked, and it is not started again', () => {
  const story = working().hear({ kind: 'message-requested', id: 'm1', text: 'words' });
  lostTwice(story);
  story.answer(LOST).checked(READY).answer(NO_WORKTREE);
  story.answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null }).opened().see(READY);
  expect(story.worker).toMatchObject({
    mailbox: { current: { purpose: 'restored' } },
    incident: { open: { code: 'GIT_WORKTREE_FAILED' } },
  });

  lostTwice(story);
  story.answer(LOST);

  expect(story.worker).toMatchObject({
    lifecycle: { status: 'error' },
    incident: { open: { code: 'INPUT_LOST', escalated: true } },
  });
});

function lost(story: Story): Story {
  return story.answer({ kind: 'lost', receipt: RECEIPT });
}

/** Loses a text on the first two rungs of the ladder. */
function lostTwice(story: Story): void {
  for (let rung = 0; rung < 2; rung += 1) story.answer(LOST).pass('delivery');
}
