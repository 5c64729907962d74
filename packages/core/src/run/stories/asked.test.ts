/** Tells stories of agents that ask a person, and of messages that do not arrive. */
import { describe, expect, test } from 'vitest';
import { CHANGE, flowOf, SPLIT, Teller } from './teller.ts';

function atBuild(): Teller {
  return new Teller(flowOf(CHANGE)).placed('build');
}

function asks(story: Teller, text: string, changes: { attempt?: number; workerId?: string } = {}): Teller {
  const { attempt, worker } = story.item('build');
  const { workerId = '?', name = '?' } = worker ?? {};
  return story.tell({ kind: 'agent-asked', item: 'build', attempt, workerId, name, text, ...changes });
}

describe('an agent asks a person', () => {
  test('given an agent at work, when a person answers, then the words come to it between its turns, and the run goes on meanwhile', () => {
    const story = asks(atBuild(), 'ESM or CommonJS?');
    expect(story.question()).toMatchObject({ about: 'agent', text: 'w1 asks: ESM or CommonJS?', who: 'responder' });
    expect(story.run.status).toBe('running');

    story.answers('reply', { words: 'ESM.\nAlways.' });

    expect(story.run.questions).toEqual([]);
    expect(story.asked('tell', 'build')).toMatchObject({ workerId: 'w1', from: 'mia' });
    expect(story.asked('tell', 'build')?.text).toBe('You asked a person. mia answers:\n> ESM.\n> Always.');
  });

  test('given an answer without words, when it is given, then it is refused and the question stays', () => {
    const story = asks(atBuild(), 'ESM?').answers('reply', { words: ' ' });
    expect(story.last?.refused).toMatchObject({ code: 'words' });
    expect(story.run.questions).toHaveLength(1);
  });

  test('given an open question, when the agent asks again, then it is told to wait', () => {
    const story = asks(asks(atBuild(), 'One?'), 'Two?');
    expect(story.last?.refused).toMatchObject({ code: 'asked' });
    expect(story.run.questions).toHaveLength(1);
  });

  test.each([{ attempt: 2 }, { workerId: 'w9' }])(
    'given %o, when such an agent asks, then nobody is asked',
    (changes) => {
      const story = asks(atBuild(), 'May I?', changes);
      expect(story.last?.refused).toMatchObject({ code: 'no-task' });
      expect(story.run.questions).toEqual([]);
    },
  );

  test('given a run that has ended, when an agent asks, then it is told', () => {
    const story = atBuild().tell({ kind: 'person-acted', act: 'stop', by: 'mia' });
    story.pinned('build').frees();
    expect(asks(story, 'Why?').last?.refused).toMatchObject({ code: 'no-task' });
  });

  test('given an agent that cannot go on without the answer, when it ends with "blocked", then it waits and keeps its worker, and its next turn begins with the answer', () => {
    const story = asks(atBuild(), 'ESM?').does('build', { verdict: 'blocked', summary: 'I need the word' });
    expect(story.item('build').progress).toMatchObject({ kind: 'waiting', on: 'person' });
    expect([story.run.status, story.count('release')]).toEqual(['waiting', 0]);

    story.answers('reply', { words: 'ESM.' });

    expect(story.asked('send', 'build')).toMatchObject({ workerId: 'w1', item: { attempt: 2 } });
    expect(story.asked('send', 'build')?.text).toContain('> ESM.');
    expect(story.item('build')).toMatchObject({ triesSpent: 0, failures: [] });
  });

  test('given an answer that comes while its commit is being kept, when that is done, then its next turn begins with the answer', () => {
    const story = asks(atBuild(), 'ESM?');
    story.ends('build', {
      kind: 'result',
      result: { verdict: 'blocked', summary: 'I wait', parts: [], report: '', findings: [], answers: [] },
      commit: 'c1',
      base: 'base',
    });
    story.answers('reply', { words: 'ESM.' }).pinned('build');
    expect(story.asked('send', 'build')?.text).toContain('> ESM.');
    expect(story.count('tell')).toBe(0);
  });

  test('given an agent that ended without the answer, when its work passes, then the question is taken back', () => {
    const story = asks(atBuild(), 'ESM?').does('build');
    expect(story.run.questions).toEqual([]);
    expect(story.count('withdraw')).toBe(1);
  });

  test('given agents of two parts, when both ask, then each gets its own answer', () => {
    const parts = [
      { title: 'A', prompt: 'a', paths: ['a'] },
      { title: 'B', prompt: 'b', paths: ['b'] },
    ];
    const story = new Teller(flowOf(SPLIT)).placed('plan').does('plan', { parts }).answers('start');
    for (const item of ['build/1', 'build/2']) {
      story.placed(item);
      const workerId = story.item(item).worker?.workerId ?? '';
      story.tell({ kind: 'agent-asked', item, attempt: 1, workerId, name: workerId, text: item });
    }
    story.answers('reply', { words: 'For B.' });
    expect(story.asked('tell')).toMatchObject({ item: { item: 'build/2' } });
    story.answers('reply', { words: 'For A.' });
    expect(story.asked('tell')).toMatchObject({ item: { item: 'build/1' } });
  });
});

describe('a message that did not arrive', () => {
  test('given a sender at work, when its message is lost, then it is told; given a sender that is done, then nobody is', () => {
    const lost = { kind: 'message-lost', from: 'w1', to: 'bea', why: 'its task ended' } as const;
    const story = atBuild().tell(lost);
    expect(story.asked('tell', 'build')?.text).toContain('Your message to bea did not arrive: its task ended.');
    expect(story.does('build').tell(lost).count('tell')).toBe(1);
  });
});
