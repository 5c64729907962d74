import { expect, test } from 'vitest';
import { GIT, idle, Story, working } from '../testing/story.ts';
import { timesOf } from '../worker/repair.ts';
import type { Worker } from '../worker/worker.ts';
import { tellEvent } from './explain.ts';

const HEAD = { ...GIT, head: 'bbbb', ahead: 1, subject: 'Add a page' };

function storyOf(patch: Partial<Worker>): Story {
  const story = idle();
  story.worker = { ...story.worker, ...patch };
  return story;
}

test('given a review without a commit, when HEAD is ahead and is taken, then it is the work under review', () => {
  const story = storyOf({ status: 'needs_review', git: null });

  story.hear({ kind: 'repair-ordered', repair: { kind: 'take-head', git: HEAD } });

  expect(story.worker).toMatchObject({ status: 'needs_review', git: HEAD, note: 'committed "Add a page"' });
  expect(story.rules).toContain('repair:take-head');
});

test('given a review that was accepted meanwhile, when HEAD is to be taken, then it is refused and nothing changes', () => {
  const story = storyOf({ status: 'idle' });
  const before = story.worker;

  story.hear({ kind: 'repair-ordered', repair: { kind: 'take-head', git: HEAD } });

  expect(story.reply).toMatchObject({ kind: 'refused', code: 'not-needed' });
  expect(story.worker).toEqual(before);
});

test('given a worker at work without a prompt, when it is handed over, then it needs input and says why', () => {
  const story = working();
  story.worker = { ...story.worker, task: null };

  story.hear({ kind: 'repair-ordered', repair: { kind: 'hand-over', why: 'no prompt is on record' } });

  expect(story.worker).toMatchObject({ status: 'needs_input', note: 'no prompt is on record' });
  expect(story.worker.incident).toMatchObject({ code: 'AGENT_BLOCKED', escalated: true });
});

test('given a worker whose machine is silent, when it is handed over, then it is asked for words, and not to wait for the machine', () => {
  const story = working().hear({ kind: 'machine-lost', silentMs: 600_000 });

  story.hear({ kind: 'repair-ordered', repair: { kind: 'hand-over', why: 'no prompt is on record' } });

  expect(story.worker.incident).toMatchObject({ code: 'AGENT_BLOCKED', escalated: true });
  expect(story.worker.incident?.options.map(({ id }) => id)).toEqual(['retry-with-changes', 'skip', 'take-over']);
});

test('given a worker without a session that was at work, when it is handed over, then it comes back needing input', () => {
  const story = storyOf({ status: 'offline', before: 'working', task: null, pane: { kind: 'absent' } });

  story.hear({ kind: 'repair-ordered', repair: { kind: 'hand-over', why: 'no prompt is on record' } });

  expect(story.worker).toMatchObject({ status: 'offline', before: 'needs_input' });
});

test('given times in the future, when they are repaired, then none is later than now and an order keeps its length', () => {
  const story = working();
  const far = story.now + 1e9;
  const { worker } = story;
  story.worker = {
    ...worker,
    crashes: { count: 1, lastAt: far },
    progress: { ...worker.progress, at: far },
    inFlight: { seq: 9, op: { kind: 'close' }, since: far, dueAt: far + 30_000, overdue: 0 },
  };

  story.hear({ kind: 'repair-ordered', repair: { kind: 'times' } });

  expect(Object.values(timesOf(story.worker)).filter((at) => at > story.now)).toEqual([]);
  expect(story.worker.inFlight).toMatchObject({ since: story.now, dueAt: story.now + 30_000 });
});

test('given a machine that has seen later orders, when that is repaired, then the next order comes after them', () => {
  const story = idle();

  story.hear({ kind: 'repair-ordered', repair: { kind: 'orders', atLeast: 700 } });
  story.hear({ kind: 'down-ordered' });

  expect(story.worker.inFlight?.seq).toBe(701);
});

test.each([
  [{ kind: 'take-head', git: HEAD } as const, 'took the commit at HEAD'],
  [{ kind: 'hand-over', why: 'x' } as const, 'handed the worker to a person'],
  [{ kind: 'rebuilt', from: 'x' } as const, 'after its row was lost'],
  [{ kind: 'times' } as const, 'set times that lay in the future'],
  [{ kind: 'orders', atLeast: 1 } as const, 'the last order that the machine has seen'],
])('given the repair %j, when it is told, then people hear who did what', (repair, words) => {
  const told = tellEvent({ kind: 'repair-ordered', repair });

  expect(told).toContain(words);
});
