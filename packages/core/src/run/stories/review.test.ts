import { describe, expect, test } from 'vitest';
import { CHANGE, finding, flowOf, Teller } from './teller.ts';

function reviewed(): Teller {
  const story = new Teller(flowOf(CHANGE)).placed('build').does('build').checked('check');
  return story.placed('review', { profile: 'codex' });
}

function sentBack(findings = [finding('F1')]): Teller {
  return reviewed().does('review', { verdict: 'revise', findings }).placed('build');
}

function mended(story: Teller, did: 'fixed' | 'declined' = 'fixed', hasCommit = true): Teller {
  story.does('build', { answers: [{ finding: 'F1', did, why: 'Because.' }] }, hasCommit);
  return story.statusOf('check') === 'checking' ? story.checked('check') : story;
}

function declined(): Teller {
  return mended(sentBack([finding('F1', 'blocker')]), 'declined', false);
}

describe('rounds of a review', () => {
  test('given only notes, when a reviewer asks for changes, then the work passes', () => {
    const story = reviewed().does('review', { verdict: 'revise', findings: [finding('F1', 'note')] });
    expect(story.stage('review')).toBe('passed');
  });

  test('given the second round, when a new finding is below blocker, then it is a note and the work passes', () => {
    const story = mended(sentBack()).placed('review', { profile: 'codex' });
    story.does('review', { verdict: 'revise', findings: [finding('F9', 'major')] });
    expect(story.stage('review')).toBe('passed');
  });

  test('given a reviewer that never approves, when its rounds are spent, then the best round is used and the merge says that it is partial', () => {
    const story = mended(sentBack()).placed('review', { profile: 'codex' });
    story.does('review', { verdict: 'revise', findings: [finding('F2', 'blocker')] });
    expect(story.run.stages[2]?.settled).toMatchObject({ as: 'partial', code: 'MAX_ITERATIONS' });
    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'error', code: 'MAX_ITERATIONS' }));
    // The first round has one major finding, the second a blocker.
    expect(story.question()).toMatchObject({ about: 'accept', commit: 'c1' });
    expect(story.question()?.text).toContain(
      'review is partial: All 2 rounds of the review are spent.\n  F2 (blocker)',
    );
  });

  test('given the same findings again, when they come, then the review is stalled', () => {
    const story = mended(sentBack()).placed('review', { profile: 'codex' });
    story.does('review', { verdict: 'revise', findings: [finding('F1')] });
    expect(story.run.stages[2]?.settled?.why).toBe('The reviewer found the same again.');
  });

  test('given an author that gives back the same commit without a reason, when it ends, then it has no new commit and tries again', () => {
    const story = mended(sentBack(), 'fixed', false);
    expect(story.item('build').failures.at(-1)).toMatchObject({ code: 'AGENT_INVALID_OUTPUT' });
  });

  test('given a finding that its author declines, when it is no blocker, then the reviewer rules on it with the same commit', () => {
    const story = mended(sentBack(), 'declined', false);
    expect(story.asked('start', 'review')).toMatchObject({ item: { attempt: 2 }, from: 'c1' });
    expect(story.asked('start', 'review')?.text).toContain('declined. Because.');
  });

  test('given a declined blocker, when a person sides with the author, then the work passes; with the reviewer, then it goes back', () => {
    const story = declined();
    expect(story.question()).toMatchObject({ about: 'declined', item: 'review', commit: 'c1' });
    expect(story.question()?.text).toContain('The author declines: Because.');
    expect(story.answers('author').stage('review')).toBe('passed');

    const other = declined().answers('reviewer');
    expect(other.asked('send')).toMatchObject({ item: { item: 'build', attempt: 3 } });
    expect(other.asked('send')?.text).toContain('A person sides with the reviewer.');
  });

  test('given a reviewer that commits, approves a blocker, or wrote the work, when it ends, then nothing is approved', () => {
    const story = reviewed();
    story.ends('review', {
      kind: 'result',
      result: { verdict: 'approve', summary: 'Good.', parts: [], report: '', findings: [], answers: [] },
      commit: 'x',
      base: 'c1',
    });
    expect(story.stage('review')).toBeNull();
    expect(story.pinned('review').item('review').failures.at(-1)?.problem).toContain('HEAD has moved');

    story
      .placed('review', { profile: 'codex' })
      .does('review', { verdict: 'approve', findings: [finding('F1', 'blocker')] });
    expect(story.stage('review')).not.toBe('passed');

    const own = new Teller(flowOf(CHANGE))
      .placed('build')
      .does('build')
      .checked('check')
      .placed('review', { workerId: 'w1' });
    expect(own.asked('release')).toMatchObject({ item: 'review', workerId: 'w1' });
    expect(own.statusOf('review')).toBe('waiting');
  });

  test('given a lost reviewer, when nobody can review, then the review is skipped and the merge says so', () => {
    const story = reviewed();
    for (let tries = 0; tries < 2; tries += 1) {
      story.ends('review', { kind: 'no-result', commit: null, problem: 'No file.' });
      if (story.statusOf('review') === 'waiting') story.placed('review', { profile: 'codex' });
    }
    expect(story.stage('review')).toBe('skipped');
    expect(story.question()?.text).toContain('review is skipped: Nobody could review the work');
  });

  test('given an author that fails at the findings, when its tries are spent, then the best reviewed commit is used', () => {
    const story = sentBack();
    for (let tries = 0; tries < 2; tries += 1) {
      story.ends('build', { kind: 'no-result', commit: null, problem: 'No file.' });
      if (story.item('build').progress.kind === 'placing') story.placed('build');
    }
    story.checked('check');
    expect([story.stage('build'), story.stage('review')]).toEqual(['partial', 'partial']);
    expect(story.question()).toMatchObject({ about: 'accept', commit: 'c1' });
  });
});
