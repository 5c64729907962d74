import { describe, expect, test } from 'vitest';
import { CHANGE, finding, flowOf, Teller } from './teller.ts';

function built(): Teller {
  return new Teller(flowOf(CHANGE)).placed('build').does('build').checked('check');
}

describe('a change', () => {
  test('given a goal, when all goes well, then it is built, checked, reviewed by another profile, and merged by a yes to that commit', () => {
    const story = new Teller(flowOf(CHANGE));
    expect(story.asked('start')).toMatchObject({
      item: { item: 'build', attempt: 1 },
      from: 'base',
      text: 'Add a flag',
    });

    story.placed('build').does('build');
    expect(story.asked('check')).toMatchObject({ commit: { commit: 'c1' }, commands: [] });

    story.checked('check');
    expect(story.asked('start', 'review')).toMatchObject({
      from: 'c1',
      wish: { notWorkers: ['w1'], notProfiles: ['claude'], role: 'reviewer' },
    });

    story.placed('review', { profile: 'codex' }).does('review', { verdict: 'approve' });
    expect(story.question()).toMatchObject({ about: 'accept', commit: 'c1' });
    expect(story.run.status).toBe('waiting');

    story.answers('accept');
    expect(story.asked('accept')).toMatchObject({ commit: { commit: 'c1' }, by: 'mia' });
    story.tell({ kind: 'accepted', request: story.asked('accept')?.id ?? '', commit: 'm1', offered: null }).frees();
    expect(story.run).toMatchObject({ status: 'finished', merged: 'm1' });
    expect(story.asked('forget')).toMatchObject({ at: story.now });
    expect(story.count('release')).toBe(2);
  });

  test('given a machine whose answer about a merge is lost, when it is heard, then it is asked again by itself, a few times', () => {
    const story = new Teller(flowOf(CHANGE), { terms: { skip: ['review'] } });
    story.placed('build').does('build').checked('check').answers('accept');
    const lost = (): string => {
      const { id = '' } = story.asked('accept') ?? {};
      story.tell({ kind: 'not-accepted', request: id, text: 'its agent was restarted', isLost: true });
      return id;
    };
    const ids = new Set([lost(), lost(), lost(), lost(), lost()]);
    expect(ids.size).toBe(5);
    expect(story.run.questions).toEqual([]);
    expect(story.asked('accept')).toMatchObject({ commit: { commit: 'c1' }, by: 'mia' });

    lost();
    expect(story.question()).toMatchObject({ about: 'accept', commit: 'c1' });
  });

  test('given a project that hands work over, when its branch is offered, then the run has finished and nothing counts as merged', () => {
    const story = new Teller(flowOf(CHANGE), { terms: { skip: ['review'] } });
    story.placed('build').does('build').checked('check').answers('accept');
    const offered = { branch: 'drover/run-1', why: 'https://example.org/pull/1' };
    story.tell({ kind: 'accepted', request: story.asked('accept')?.id ?? '', commit: 'm1', offered }).frees();
    expect(story.run).toMatchObject({ ending: { as: 'finished' }, merged: null });
    expect(story.item('merge').progress).toMatchObject({
      why: 'Handed over as the branch "drover/run-1" at m1: merge it there. https://example.org/pull/1',
    });
  });

  test('given findings, when the author mends them, then the checks run again and the reviewer sees the answers', () => {
    const story = built().placed('review', { profile: 'codex' });
    story.does('review', { verdict: 'revise', findings: [finding('F1')] });
    expect(story.asked('send')).toMatchObject({ workerId: 'w1', item: { item: 'build', attempt: 2 } });
    expect(story.asked('send')?.text).toContain('F1 (major) a.ts:1: Finding F1');

    story
      .placed('build')
      .does('build', { answers: [{ finding: 'F1', did: 'fixed', why: 'Yes.' }] })
      .checked('check');
    const again = story.asked('start', 'review');
    expect(again).toMatchObject({ item: { attempt: 2 }, from: 'c2' });
    expect(again?.text).toContain('Answer: fixed. Yes.');

    story.placed('review', { profile: 'codex' }).does('review', { verdict: 'approve' });
    expect(story.question()).toMatchObject({ about: 'accept', commit: 'c2' });
  });

  test('given a commit that cannot be pinned, when that is told twice, then it is one attempt, and the next follows after a pause', () => {
    const story = new Teller(flowOf(CHANGE)).placed('build');
    const result = { verdict: 'done', summary: 'Done.', parts: [], report: '', findings: [], answers: [] } as const;
    story.ends('build', { kind: 'result', result, commit: 'c1', base: 'base' });
    const request = story.asked('pin')?.id ?? '';
    for (let times = 0; times < 6; times += 1) story.tell({ kind: 'not-pinned', request, text: 'the depot is full' });
    expect([story.item('build').failures, story.count('pin')]).toEqual([[], 1]);
    story.pass(1_000).ring().pinned('build');
    expect([story.count('pin'), story.statusOf('build')]).toEqual([2, 'passed']);
  });

  test('given a stopped run, when its agent is at work, then its work is pinned, its worker freed, and only then the run has stopped', () => {
    const story = new Teller(flowOf(CHANGE)).placed('build').tell({ kind: 'person-acted', act: 'stop', by: 'mia' });
    const { status, why } = story.run;
    expect([status, why]).toEqual([
      'stopping',
      'mia stopped it. It waits for w1 to stop and its work on build to be kept.',
    ]);
    expect(story.asked('pin')).toMatchObject({ commit: null, workerId: 'w1' });

    story.pinned('build');
    expect(story.run).toMatchObject({ status: 'stopping', why: 'mia stopped it. It waits for 1 worker to be free.' });
    story.frees();
    expect(story.run).toMatchObject({ status: 'stopped', why: 'mia stopped it.' });
    expect(story.statusOf('build')).toBe('partial');
  });

  test('given a run whose work is not merged, when it has ended, then its commits are kept for another try, and let go once', () => {
    const story = new Teller(flowOf(CHANGE)).placed('build').tell({ kind: 'person-acted', act: 'stop', by: 'mia' });
    expect(story.count('forget')).toBe(0);
    story.pinned('build').frees();
    const { id: request = '', at } = story.asked('forget') ?? {};
    expect(at).toBe(story.now + story.policy.run.keepMs);

    story.tell({ kind: 'forgotten', request }).tell({ kind: 'person-acted', act: 'stop', by: 'mia' });
    expect(story.count('forget')).toBe(1);
  });
});
