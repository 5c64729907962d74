/** What a person is told of a worker that recovers. */
import { expect, test } from 'vitest';
import { working } from '../testing/story.ts';
import { explainWorker } from './worker.ts';

test('given an agent that crashed once, when it is asked why, then what was tried and what comes if it does not help are told', () => {
  const story = working().exit(1);

  const said = explainWorker(story.worker, { name: 'adam', now: story.now, escalation: null });

  expect(said).toContain('Last: restart in 2000 ms (status 1) (in 2 s).');
  expect(said).toContain('If that does not help: a person is asked.');
});
