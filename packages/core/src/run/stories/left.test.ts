/** Work that stays on a machine: a run that ends does not wait for a machine that is away, and one whose own machine is gone loses no finished work. */
import { expect, test } from 'vitest';
import { CHANGE, flowOf, MINUTE, PARTS, SPLIT, Teller } from './teller.ts';

const AWAY = { text: 'it is away', left: { on: 'laptop-2', commit: null } } as const;
const HOME_GONE = {
  text: '"m1", which has the commits of the run, is revoked',
  left: { on: 'laptop-2', commit: 'c1' },
} as const;
const STOP = { kind: 'person-acted', act: 'stop', by: 'mia' } as const;

function notKept(story: Teller, item: string, what: typeof AWAY | typeof HOME_GONE): Teller {
  return story.tell({ kind: 'not-pinned', request: requestOf(story, item), ...what });
}

function requestOf(story: Teller, item: string): string {
  const { progress } = story.item(item);
  return 'request' in progress ? progress.request : 'none';
}

function finishedAt(item: string): Teller {
  const story = new Teller(flowOf(CHANGE)).placed(item);
  const result = { verdict: 'done', summary: 'Done.', parts: [], report: '', findings: [], answers: [] } as const;
  return story.ends(item, { kind: 'result', result, commit: 'c1', base: 'base' });
}

test('given a run that a person stops, when the machine of its agents stays away, then it is stopped without another try, and says what is left there', () => {
  const story = new Teller(flowOf(SPLIT)).placed('plan').does('plan', { parts: PARTS.slice(0, 2) }, false);
  story.answers('start').placed('build/1').placed('build/2').tell(STOP);
  const pins = story.count('pin');

  notKept(notKept(story, 'build/1', AWAY), 'build/2', AWAY);
  expect(story.run.status).toBe('stopping');
  story.frees();

  expect(story.count('pin')).toBe(pins);
  expect(story.run).toMatchObject({
    status: 'stopped',
    why: 'mia stopped it. On "laptop-2", which is away, 2 tasks are ended when it is back, and the work stays there: drover worker checkpoint w2 or w3.',
  });
  expect(story.requests.filter(({ kind }) => kind === 'release')).toHaveLength(3);
});

test('given a stopped run that has left a task, when the machine is back with a result and a commit, then nothing of the run changes', () => {
  const story = new Teller(flowOf(CHANGE)).placed('build').tell(STOP);
  const request = requestOf(story, 'build');
  notKept(story, 'build', AWAY).frees();
  const { run } = story;
  const asked = story.requests.length;

  const end = { kind: 'no-result', commit: 'late', problem: 'none' } as const;
  story.tell({ kind: 'task-ended', item: 'build', attempt: 1, workerId: 'w1', end });
  story.tell({ kind: 'pinned', request, commit: 'late', tree: 't' });
  story.tell({ kind: 'machine-changed', workerId: 'w1', isAway: false });

  expect(story.requests).toHaveLength(asked);
  expect(story.run).toEqual({ ...run, seq: run.seq + 3 });
});

test('given a run that stops by itself, when a person says stop, too, then it ends as it would, and since then waits for nobody who is away', () => {
  const story = new Teller(flowOf(CHANGE, { timeMs: 60 * MINUTE })).placed('build');
  story.pass(60 * MINUTE).ring();
  expect(story.run.ending).toMatchObject({ as: 'partial' });
  expect(story.run.ending).not.toHaveProperty('stoppedAt');

  story.pass(MINUTE).tell(STOP);
  const { ending } = story.run;
  story.pass(MINUTE).tell(STOP);

  expect(ending).toMatchObject({ as: 'partial', stoppedAt: story.now - MINUTE });
  expect(story.run.ending).toEqual(ending);
});

test('given finished work on another machine, when the one of the run is gone, then its worker is kept, a person hears where the commit is, and once they let it in again the same commit is kept', () => {
  const story = finishedAt('build');

  notKept(story, 'build', HOME_GONE);
  const released = story.count('release');
  const asked = story.question();
  story.answers('again');

  expect(released).toBe(0);
  expect(asked).toMatchObject({ about: 'lost', item: 'build' });
  expect(asked?.text).toContain(
    'Its commit c1 is kept on "laptop-2": "m1", which has the commits of the run, is revoked',
  );
  expect(asked?.options.map(({ option }) => option)).toEqual(['again', 'without', 'stop']);
  expect(story.run.status).toBe('running');
  expect(story.asked('pin', 'build')).toMatchObject({ commit: 'c1', workerId: 'w1' });
  expect(story.item('build')).toMatchObject({ attempt: 1, freeTries: 0 });
  story.pinned('build').checked('check');
  expect(story.item('build')).toMatchObject({ attempt: 1, output: { commit: 'c1' } });
  expect(story.stage('check')).toBe('passed');
});

test('given work that its machine keeps, when the machine of the run is still gone after the answer, then the person is asked again; at a stop the run says where the commit is', () => {
  const story = notKept(finishedAt('build'), 'build', HOME_GONE).answers('again');

  notKept(story, 'build', HOME_GONE);
  expect(story.run).toMatchObject({ status: 'waiting' });
  expect(story.question()).toMatchObject({ about: 'lost', item: 'build' });
  story.answers('stop').frees();

  expect(story.run).toMatchObject({
    status: 'stopped',
    why: 'mia stopped it. The work of build is kept on "laptop-2" as commit c1.',
  });
});

test.each([
  ['its worker is taken away', { kind: 'taken-away', by: 'mia', commit: null } as const],
  ['its machine is removed', { kind: 'failed', code: 'MACHINE_LOST', problem: 'gone', commit: null } as const],
])('given work that its machine keeps, when %s meanwhile, then the answer has the work done again', (_, end) => {
  const story = notKept(finishedAt('build'), 'build', HOME_GONE).ends('build', end);

  story.answers('again');

  expect(story.asked('start', 'build')).toMatchObject({ item: { attempt: 2 } });
  expect(story.item('build').output.commit).toBeNull();
});

test('given work that its machine keeps, when that machine is revoked, too, then the answer has it done again, and a later one asks for no commit of before', () => {
  const story = notKept(finishedAt('build'), 'build', HOME_GONE);
  story.tell({ kind: 'machine-changed', workerId: 'w1', isAway: true, isGone: true });
  const pins = story.count('pin');

  story.answers('again').placed('build');
  story.ends('build', { kind: 'taken-away', by: 'bo', commit: null }).answers('again');

  expect(story.asked('start', 'build')).toMatchObject({ item: { attempt: 3 } });
  expect(story.item('build').unkept).toBeNull();
  expect(story.count('pin')).toBe(pins);
});

test('given work that a person took away, when its machine is away at the end of the run, then the run leaves nothing to end there', () => {
  const story = new Teller(flowOf(CHANGE)).placed('build');
  story.ends('build', { kind: 'taken-away', by: 'bo', commit: 'c1' }).tell(STOP);

  for (let tries = 0; tries < 5; tries += 1) {
    notKept(story, 'build', AWAY).pass(MINUTE).ring();
  }
  story.frees();

  expect(story.run).toMatchObject({ status: 'stopped', why: 'mia stopped it.' });
});
