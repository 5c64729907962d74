/** Stories of recovery that the simulation found (docs/adr/0050-simulation.md). Each was a broken promise once. */
import { expect, test } from 'vitest';
import { READY, working } from '../testing/story.ts';
import type { Story } from '../testing/story.ts';

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

/** An agent that stopped with a question: a person is asked. */
function blocked(): Story {
  return working().see(READY).pass('settle').looked(READY);
}

function answer(story: Story, option: string): Story {
  const incident = story.worker.incident?.id ?? '';
  return story.hear({ kind: 'escalation-answered', incident, option, text: null, by: 'somebody' });
}
