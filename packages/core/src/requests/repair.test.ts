/** Repairs of a worker's row by drover doctor. */
import { expect, test } from 'vitest';
import { tellEvent } from '../explain/tell.ts';
import type { Changes } from '../testing/change.ts';
import { GIT, idle, working } from '../testing/story.ts';
import type { Story } from '../testing/story.ts';
import { timesOf } from '../worker/repair.ts';

const HEAD = { ...GIT, head: 'bbbb', ahead: 1, subject: 'Add a page' };

function storyOf(changes: Changes): Story {
  return idle().change(changes);
}

test('given a review without a commit, when HEAD is ahead and is taken, then it is the work under review', () => {
  const story = storyOf({ lifecycle: { status: 'needs_review' }, worktree: { git: null } });

  story.hear({ kind: 'repair-requested', repair: { kind: 'take-head', git: HEAD } });

  expect(story.worker).toMatchObject({
    lifecycle: { status: 'needs_review', note: 'committed "Add a page"' },
    worktree: { git: HEAD },
  });
  expect(story.rules).toContain('repair:take-head');
});

test('given a review that was accepted meanwhile, when HEAD is to be taken, then it is refused and nothing changes', () => {
  const story = storyOf({ lifecycle: { status: 'idle' } });
  const before = story.worker;

  story.hear({ kind: 'repair-requested', repair: { kind: 'take-head', git: HEAD } });

  expect(story.reply).toMatchObject({ kind: 'refused', code: 'not-needed' });
  expect(story.worker).toEqual(before);
});

test('given a worker at work without a prompt, when it is handed over, then it needs input and says why', () => {
  const story = working();
  story.change({ task: { kind: 'none' } });

  story.hear({ kind: 'repair-requested', repair: { kind: 'ask', why: 'no prompt is on record' } });

  expect(story.worker).toMatchObject({ lifecycle: { status: 'needs_input', note: 'no prompt is on record' } });
  expect(story.worker.incident.open).toMatchObject({ code: 'AGENT_BLOCKED', escalated: true });
});

test('given a worker whose machine is silent, when it is handed over, then it is asked for words, and not to wait for the machine', () => {
  const story = working().hear({ kind: 'machine-lost', silentMs: 600_000 });

  story.hear({ kind: 'repair-requested', repair: { kind: 'ask', why: 'no prompt is on record' } });

  expect(story.worker.incident.open).toMatchObject({ code: 'AGENT_BLOCKED', escalated: true });
  expect(story.worker.incident.open?.options.map(({ id }) => id)).toEqual(['retry-with-changes', 'skip', 'take-over']);
});

test('given a worker without a session that was at work, when it is handed over, then it comes back needing input', () => {
  const story = storyOf({
    lifecycle: { status: 'offline', before: 'working' },
    task: { kind: 'none' },
    session: { pane: { kind: 'absent' } },
  });

  story.hear({ kind: 'repair-requested', repair: { kind: 'ask', why: 'no prompt is on record' } });

  expect(story.worker).toMatchObject({ lifecycle: { status: 'offline', before: 'needs_input' } });
});

test('given times in the future, when they are repaired, then none is later than now and a command keeps its length', () => {
  const story = working();
  const far = story.now + 1e9;
  story.change({
    session: { crashes: { count: 1, lastAt: far } },
    turn: { progress: { ...story.worker.turn.progress, at: far } },
    command: { inFlight: { seq: 9, command: { kind: 'close' }, since: far, dueAt: far + 30_000, overdue: 0 } },
  });

  story.hear({ kind: 'repair-requested', repair: { kind: 'times' } });

  expect(Object.values(timesOf(story.worker)).filter((at) => at > story.now)).toEqual([]);
  expect(story.worker.command.inFlight).toMatchObject({ since: story.now, dueAt: story.now + 30_000 });
});

test('given a machine that has seen later commands, when that is repaired, then the next command comes after them', () => {
  const story = idle();

  story.hear({ kind: 'repair-requested', repair: { kind: 'commands', atLeast: 700 } });
  story.hear({ kind: 'down-requested' });

  expect(story.worker.command.inFlight?.seq).toBe(701);
});

test.each([
  [{ kind: 'take-head', git: HEAD } as const, 'put the commit at HEAD up for review'],
  [{ kind: 'ask', why: 'x' } as const, 'left the worker to a person'],
  [{ kind: 'rebuilt', from: 'x' } as const, 'after its row was lost'],
  [{ kind: 'times' } as const, 'set times in the future to now'],
  [{ kind: 'commands', atLeast: 1 } as const, 'after the last one that the machine has seen'],
])('given the repair %j, when it is told, then people hear who did what', (repair, words) => {
  const told = tellEvent({ kind: 'repair-requested', repair });

  expect(told).toContain(words);
});
