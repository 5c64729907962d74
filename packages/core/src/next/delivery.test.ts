/** Chooses the moment at which a text is typed. */
import { describe, expect, test } from 'vitest';
import type { AgentState } from '../agent-state.ts';
import { BUSY, idle, READY, working } from '../testing/story.ts';

const RETRYING: AgentState = {
  kind: 'error',
  error: 'api',
  recoverable: true,
  text: 'API error · retrying in 7s · attempt 1/10',
  resets: null,
  composer: { kind: 'empty' },
};

describe('an agent that retries a request by itself', () => {
  test('given a task for it, when it retries, then the task waits until it is ready', () => {
    const story = idle().hear({ kind: 'start-requested', taskId: 't1', prompt: 'make it so', text: 'make it so' });

    story.see(RETRYING).answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null });
    const whileItRetries = story.last;
    story.see(READY);

    expect(whileItRetries?.kind).toBe('prepare');
    expect(story.last).toMatchObject({ kind: 'deliver', mayQueue: false });
  });

  test('given a message for it, when it retries, then the program may queue it, as it may that of a busy agent', () => {
    const retrying = working().see(RETRYING).hear({ kind: 'message-requested', id: 'm', text: 'and the tests' });
    const busy = working().see(BUSY).hear({ kind: 'message-requested', id: 'm', text: 'and the tests' });

    expect(retrying.last).toMatchObject({ kind: 'deliver', mayQueue: true });
    expect(busy.last).toMatchObject({ kind: 'deliver', mayQueue: true });
  });
});
