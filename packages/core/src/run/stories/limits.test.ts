import { describe, expect, test } from 'vitest';
import { CHANGE, flowOf, MINUTE, part, SPLIT, Teller } from './teller.ts';

function afterLimit(): Teller {
  const parts = [part('A', ['a']), part('B', ['b'])];
  const story = new Teller(flowOf(SPLIT, { workers: 20 })).placed('plan').does('plan', { parts }).answers('start');
  for (const item of ['build/1', 'build/2']) refuse(story, item, 'account');
  return story.tell({ kind: 'account-changed', account: 'a1', isLimited: false, until: null });
}

function refuse(story: Teller, item: string, why: 'account' | 'busy'): Teller {
  const { progress } = story.item(item);
  const request = 'request' in progress ? progress.request : '';
  return story.tell({ kind: 'not-placed', request, why, account: 'a1', until: null, text: why });
}

describe('accounts with a limit', () => {
  test('given twenty parts, when the account hits its limit at the seventh, then the others wait, spend no try, and come back 1, 2, 4', () => {
    const parts = Array.from({ length: 20 }, (_, at) => part(`P${at}`, [`p${at}`]));
    const story = new Teller(flowOf(SPLIT, { workers: 20 })).placed('plan').does('plan', { parts }).answers('start');
    for (let at = 1; at <= 6; at += 1) story.placed(`build/${at}`);
    story.tell({ kind: 'account-changed', account: 'a1', isLimited: true, until: story.now + 30 * MINUTE });
    for (let at = 7; at <= 20; at += 1) {
      const { progress } = story.item(`build/${at}`);
      const request = 'request' in progress ? progress.request : '';
      story.tell({
        kind: 'not-placed',
        request,
        why: 'account',
        account: 'a1',
        until: story.now + 30 * MINUTE,
        text: 'a1 is limited',
      });
    }
    expect(story.item('build/7')).toMatchObject({ triesSpent: 0, progress: { on: 'account' } });
    expect(story.run.clock.runsSince).toBeNull();

    const starts = (): number => story.count('start');
    const before = starts();
    story.pass(20 * MINUTE).tell({ kind: 'account-changed', account: 'a1', isLimited: false, until: null });
    const begun = [starts() - before];
    for (let minute = 0; minute < 3; minute += 1) {
      story.pass(MINUTE).ring();
      begun.push(starts() - before);
    }
    expect(begun).toEqual([1, 3, 7, 14]);
  });

  test('given twenty parts and four workers, when the limit comes at the seventh, then at most four begin on the account, and each part once', () => {
    const names = Array.from({ length: 20 }, (_, at) => `build/${at + 1}`);
    const parts = names.map((name) => part(name, [name]));
    const story = new Teller(flowOf(SPLIT, { workers: 4 })).placed('plan').does('plan', { parts }).answers('start');
    const isAt = (kind: string) => (name: string) => story.item(name).progress.kind === kind;
    const begun = new Map(names.map((name) => [name, 0]));
    const begins = (name: string): void => {
      begun.set(name, (begun.get(name) ?? 0) + 1);
      story.placed(name);
    };
    for (const name of names.slice(0, 6)) {
      begins(name);
      story.does(name).checked(name);
    }
    for (const name of names.filter(isAt('placing'))) begins(name);

    story.tell({ kind: 'account-changed', account: 'a1', isLimited: true, until: story.now + 30 * MINUTE });
    const atLimit = names.filter(isAt('running'));
    for (let round = 0; round < names.length; round += 1)
      for (const name of names.filter(isAt('placing'))) refuse(story, name, 'account');
    story.pass(20 * MINUTE).ring();
    expect(atLimit).toEqual(names.slice(6, 10));
    expect(names.filter(isAt('waiting'))).toEqual(names.slice(10));

    story.tell({ kind: 'account-changed', account: 'a1', isLimited: false, until: null });
    for (let minute = 0; minute < 20; minute += 1) {
      for (const name of names.filter(isAt('running'))) story.does(name).checked(name);
      for (const name of names.filter(isAt('placing'))) begins(name);
      story.pass(MINUTE).ring();
    }
    expect(names.map((name) => story.statusOf(name))).toEqual(names.map(() => 'passed'));
    expect([...begun.values()]).toEqual(names.map(() => 1));
  });

  test('given an account whose limit was only told by a refusal to place, when it opens, then the work begins at once', () => {
    const story = new Teller(flowOf(CHANGE));
    const { progress } = story.item('build');
    const request = 'request' in progress ? progress.request : '';
    story.tell({ kind: 'not-placed', request, why: 'account', account: 'a1', until: null, text: 'a1 is limited' });
    expect(story.count('start')).toBe(1);
    story.tell({ kind: 'account-changed', account: 'a1', isLimited: false, until: null });
    expect(story.count('start')).toBe(2);
  });

  test('given a worker that holds work on a limited account, when findings come, then its turn waits for the account', () => {
    const story = new Teller(flowOf(CHANGE)).placed('build').does('build');
    story.tell({ kind: 'account-changed', account: 'a1', isLimited: true, until: null }).checked('check', 'failed');
    expect(story.count('send')).toBe(0);
    story.tell({ kind: 'account-changed', account: 'a1', isLimited: false, until: null });
    expect(story.count('send')).toBe(1);
  });
});

describe('starts after a limit', () => {
  test('given the one start after a limit, when no worker takes it, then another item has that start', () => {
    const story = afterLimit();
    expect(story.asked('start')).toMatchObject({ item: { item: 'build/1' } });
    refuse(story, 'build/1', 'busy');
    expect(story.asked('start')).toMatchObject({ item: { item: 'build/2' } });
  });

  test('given work whose time has come, when no start is left for it, then no deadline is due until more may start', () => {
    const story = refuse(afterLimit(), 'build/1', 'busy')
      .placed('build/2')
      .pass(MINUTE / 2)
      .ring();
    expect(story.item('build/1')).toMatchObject({ progress: { kind: 'waiting', on: 'worker' } });
    expect(Object.values(story.run.deadlines).filter((at) => at <= story.now)).toEqual([]);
    story.pass(MINUTE / 2).ring();
    expect(story.item('build/1').progress.kind).toBe('placing');
  });
});
