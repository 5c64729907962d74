/** Tells people about a worker that recovers. */
import { expect, test } from 'vitest';
import { Story, working } from '../testing/story.ts';
import { explainWorker } from './worker.ts';

test('given an agent that crashed once, when it is asked why, then what was tried and what comes if it does not help are told', () => {
  const story = working().exit(1);

  const said = explainWorker(story.worker, { name: 'adam', now: story.now, escalation: null });

  expect(said).toContain('Last: restart in 2000 ms (status 1) (in 2 s).');
  expect(said).toContain('If that does not help: Drover asks a person.');
});

test('given an agent that is not installed, when it is asked why, then the program that is to be installed is named', () => {
  const story = new Story().hear({ kind: 'up-requested' });
  story.answer({ kind: 'prepared', base: 'a', head: 'a', saved: null }).opened().exit(127);

  const said = explainWorker(story.worker, { name: 'adam', now: story.now, escalation: null, profile: 'claude' });

  expect(said).toContain('Install "claude" on the machine, or set its full path in the profile.');
});
