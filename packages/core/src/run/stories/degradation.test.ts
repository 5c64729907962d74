import { describe, expect, test } from 'vitest';
import { degradationOf, degradationSummary, isFeatureAvailable } from '../degradation.ts';
import { CHANGE, flowOf, Teller } from './teller.ts';

function withoutReviewer(): Teller {
  const story = new Teller(flowOf(CHANGE)).placed('build').does('build').checked('check');
  for (let tries = 0; tries < 2; tries += 1)
    story.placed('review', { profile: 'codex' }).ends('review', { kind: 'no-result', commit: null, problem: 'None.' });
  return story;
}

describe('what is lost of a run', () => {
  test('given a run that lost nothing, when it is told, then everything works', () => {
    const degradation = degradationOf(new Teller(flowOf(CHANGE)).run);
    expect(degradation).toMatchObject({ level: 'full', capabilities: ['build', 'check', 'review', 'merge'] });
    expect(degradationSummary(degradation)).toBe('Everything works.');
  });

  test('given a lost reviewer, when it is told, then the work is unverified, and its author is all that is left', () => {
    const { run } = withoutReviewer();
    const degradation = degradationOf(run);
    expect(degradation).toMatchObject({ level: 'minimal', isUnverified: true, skipped: ['review'] });
    expect([isFeatureAvailable(run, 'review'), isFeatureAvailable(run, 'merge')]).toEqual([false, true]);
    expect(degradationSummary(degradation)).toContain('The work is not verified: read it before you merge it.');
  });

  test('given a limited account, when work waits for it, then the run is reduced, and full again once the limit is over', () => {
    const story = new Teller(flowOf(CHANGE)).placed('build');
    const limit = { kind: 'account-changed' as const, account: 'a1', until: null };
    expect(degradationOf(story.tell({ ...limit, isLimited: true }).run)).toMatchObject({ level: 'reduced' });
    expect(degradationOf(story.tell({ ...limit, isLimited: false }).run)).toMatchObject({ level: 'full', losses: [] });
  });

  test('given a failed run, when it is told, then nothing is possible but another try', () => {
    const story = new Teller(flowOf(CHANGE));
    for (let tries = 0; tries < 2; tries += 1)
      story.placed('build').ends('build', { kind: 'no-result', commit: null, problem: 'None.' });
    const degradation = degradationOf(story.frees().run);
    expect(degradation).toMatchObject({ level: 'failed', capabilities: [] });
    expect(degradationSummary(degradation)).toContain('drover run retry r1 --from build');
  });
});
