import { describe, expect, test } from 'vitest';
import { flowOf, part, PARTS, SPLIT, Teller } from './teller.ts';

function planned(workers = 4): Teller {
  return new Teller(flowOf(SPLIT, { workers })).placed('plan').does('plan', { parts: PARTS });
}

describe('a split', () => {
  test('given a plan, when a person starts it, then parts that touch the same files are built one after another', () => {
    const story = planned();
    expect(story.question()).toMatchObject({ about: 'gate', parts: PARTS, who: 'operator' });
    expect(story.question()?.text).toContain(
      'Start these 3 parts, 2 at a time?\n"C" begins after "B": they may touch the same files.',
    );
    expect(story.asked('release')).toMatchObject({ item: 'plan' });

    story.answers('start');
    expect([story.statusOf('build/1'), story.item('build/1').progress.kind]).toEqual(['waiting', 'placing']);
    expect(story.item('build/2').progress.kind).toBe('placing');
    expect(story.item('build/3').progress.kind).toBe('waiting');

    story.placed('build/2').does('build/2').checked('build/2');
    expect(story.asked('start', 'build/3')).toMatchObject({ from: 'c1', text: 'Do C' });
  });

  test('given finished parts, when they are joined, then of a chain only the last commit is needed, and the whole is checked', () => {
    const story = planned().answers('start');
    story.placed('build/1').does('build/1').checked('build/1');
    story.placed('build/2').does('build/2').checked('build/2');
    story.placed('build/3').does('build/3').checked('build/3');
    expect(story.asked('join')?.commits.map(({ item }) => item)).toEqual(['build/1', 'build/3']);

    story.joins('whole');
    expect(story.asked('check', 'whole')).toMatchObject({ commit: { commit: 'j1' }, join: { base: 'base' } });
    story.checked('whole');
    expect(story.question()).toMatchObject({ about: 'accept', commit: 'j1' });
  });

  test('given a conflict, when the others are joined, then an agent resolves it on the candidate of the others', () => {
    const story = planned().answers('start');
    for (const item of ['build/1', 'build/2', 'build/3']) story.placed(item).does(item).checked(item);
    const request = story.asked('join')?.id ?? '';
    story.tell({ kind: 'conflict', request, items: ['build/3'], commit: 'j0', tree: 't', files: ['src/b/c.ts'] });
    const start = story.asked('start', 'whole');
    expect(start).toMatchObject({ from: 'j0', also: ['c1', 'c3'] });
    expect(start?.text).toContain(
      'Merge c3 into the commit that is checked out, and resolve the conflicts in src/b/c.ts.',
    );

    story.placed('whole').does('whole').checked('whole');
    expect(story.question()).toMatchObject({ about: 'accept', commit: 'c4' });
  });

  test('given more parts than workers, when the run goes on, then no more workers are at work than the budget allows', () => {
    const story = new Teller(flowOf(SPLIT, { workers: 2 })).placed('plan');
    story.does('plan', { parts: [1, 2, 3, 4].map((at) => part(`P${at}`, [`p${at}`])) }).answers('start');
    const begun = (): readonly string[] =>
      story.requests.flatMap((one) => (one.kind === 'start' ? [one.item.item] : []));
    expect(begun()).toEqual(['plan', 'build/1', 'build/2']);

    story.placed('build/1').does('build/1').checked('build/1');
    expect(begun()).toEqual(['plan', 'build/1', 'build/2', 'build/3']);
  });

  test('given failed checks, when a try is left, then the same worker mends its commit; afterwards the parts that passed go on', () => {
    const story = planned().answers('start').placed('build/1').does('build/1').checked('build/1', 'failed', 'boom');
    expect(story.asked('send')).toMatchObject({ item: { item: 'build/1', attempt: 2 } });
    expect(story.asked('send')?.text).toContain('boom');

    story.placed('build/1').does('build/1').checked('build/1', 'failed', 'boom again');
    expect(story.statusOf('build/1')).toBe('failed');
    for (const item of ['build/2', 'build/3']) story.placed(item).does(item).checked(item);
    expect(story.stage('build')).toBe('partial');
    expect(story.asked('join')?.commits.map(({ item }) => item)).toEqual(['build/3']);
    story.joins('whole').checked('whole');
    expect(story.question()?.text).toContain('This work is not whole:\nbuild is partial: A: The checks failed.');
    story
      .answers('accept')
      .tell({ kind: 'accepted', request: story.asked('accept')?.id ?? '', commit: 'm', offered: null })
      .frees();
    expect(story.run.status).toBe('partial');
  });

  test('given the first three items that fail alike, when others wait, then they are held and a person is asked', () => {
    const story = new Teller(flowOf(SPLIT, { workers: 3 })).placed('plan');
    story.does('plan', { parts: [1, 2, 3, 4, 5].map((at) => part(`P${at}`, [`p${at}`])) }).answers('start');
    for (const item of ['build/1', 'build/2', 'build/3']) story.placed(item);
    for (const [at, item] of ['build/1', 'build/2', 'build/3'].entries())
      story.ends(item, { kind: 'no-result', commit: null, problem: `No file ${at}.` });
    expect(story.question()).toMatchObject({ about: 'hold', item: 'build' });
    expect(story.requests.some((one) => one.kind === 'start' && one.item.item === 'build/4')).toBe(false);
    const before = story.count('start');

    story.answers('go-on');
    expect(story.count('start')).toBeGreaterThan(before);
  });
});

describe('a gate', () => {
  test('given a plan, when a person edits it, then the edited one is valid, shown once more, kept with its actor, and built', () => {
    const story = planned();
    expect(story.answers('edit', { parts: [] }).last?.refused).toMatchObject({ code: 'edit' });
    expect(story.run.questions).toHaveLength(1);

    const edited = [part('Only', ['src'])];
    story.answers('edit', { parts: edited });
    expect(story.records).toContainEqual({ kind: 'edited', item: 'plan', by: 'mia', before: PARTS, after: edited });
    expect(story.question()).toMatchObject({ about: 'gate', parts: edited });
    story.answers('start');
    expect(story.run.stages[2]?.items.map(({ part }) => part?.title)).toEqual(['Only']);
  });

  test('given a plan, when a person wants it revised, then an agent gets the words and the plan, and the person is asked again', () => {
    const story = planned().answers('revise', { words: 'Fewer parts.' });
    const start = story.asked('start', 'plan');
    expect(start).toMatchObject({ item: { attempt: 2 } });
    expect(start?.text).toContain('Fewer parts.');
    expect(start?.text).toContain('1. A (src/a)');

    story.placed('plan').does('plan', { parts: PARTS.slice(0, 1) });
    expect(story.question()).toMatchObject({ about: 'gate', parts: PARTS.slice(0, 1) });
  });

  test('given a question, when the answer is for another one, another commit, or no option of it, then it is refused', () => {
    const story = planned();
    expect(story.answers('accept').last?.refused).toMatchObject({ code: 'option' });
    const question = story.question()?.id ?? '';
    const answer = { kind: 'answered' as const, option: 'start', by: 'mia', words: '', parts: null, commit: null };
    expect(story.tell({ ...answer, question: 'r1:99' }).last?.refused).toMatchObject({ code: 'no-question' });
    story.tell({ ...answer, question });
    expect(story.tell({ ...answer, question }).last?.refused).toMatchObject({ code: 'no-question' });
  });

  test('given a plan, when a person stops it, then the run is stopped and nothing is built', () => {
    const story = planned().frees().answers('stop');
    expect(story.run).toMatchObject({ status: 'stopped', why: 'mia stopped it.' });
    expect(story.stage('build')).toBe('skipped');
  });
});
