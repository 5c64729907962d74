/** Plays tasks of a run: the end of a turn by a result, the prompt for a missing one, and what people do meanwhile. */
import { describe, expect, test } from 'vitest';
import { ASKED, BUSY, idle, READY, working } from '../../testing/story.ts';
import type { Story } from '../../testing/story.ts';
import type { Returns, TaskResult } from '../../run/result.ts';
import type { ResultSeen, RunItem, TaskEnd } from '../../run/task.ts';
import type { GitFacts } from '../../machine/reading.ts';
import { runOf } from '../../worker/task.ts';

const WORK: Partial<GitFacts> = { head: 'bbbb', ahead: 1, subject: 'work' };
const DONE: TaskResult = { verdict: 'done', summary: 'made it', parts: [], report: '', findings: [], answers: [] };
const RUN = '00000000-0000-7000-8000-0000000007c1';

function item(attempt = 1, returns: Returns = 'commit'): RunItem {
  return { runId: RUN, item: 'build', attempt, returns };
}

/** Begins with a worker whose agent is at the task of a run. */
function atRunTask(returns: Returns = 'commit'): Story {
  const story = idle().hear({
    kind: 'start-requested',
    taskId: 't1',
    prompt: 'make it so',
    text: 'make it so',
    run: item(1, returns),
  });
  return story.answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null }).delivered().see(BUSY);
}

/** Ends the turn with this result file and this git. */
function ends(story: Story, result: ResultSeen, git: Partial<GitFacts> = WORK): Story {
  story.result = result;
  return story.see(READY).pass('settle').checked(READY, git);
}

function given(story: Story, result: Partial<TaskResult> = {}, attempt = 1): ResultSeen {
  return { kind: 'given', attempt, at: story.now, result: { ...DONE, ...result } };
}

/** Gives a valid result with a commit. */
function held(): Story {
  const story = atRunTask();
  return ends(story, given(story));
}

function endsOf(story: Story): readonly TaskEnd[] {
  return story.records.flatMap((entry) => (entry.kind === 'run' ? [entry.end] : []));
}

describe('the end of a turn', () => {
  test('given a valid result and its commit, when the turn ends, then the run is told both, and the worker holds without checks of its own', () => {
    const story = held();

    expect(endsOf(story)).toEqual([{ kind: 'result', result: DONE, commit: 'bbbb', base: 'aaaa' }]);
    expect(story.worker).toMatchObject({
      lifecycle: { status: 'needs_review', note: 'its work is in run 000007c1, stage build: done: made it' },
      merge: { step: { kind: 'none' } },
      command: { inFlight: null },
    });
  });

  test('given a commit and no result, when the turn ends, then the agent is asked once by a typed prompt, and then the run is told of the failure', () => {
    const story = ends(atRunTask(), { kind: 'none' });
    expect(endsOf(story)).toEqual([]);
    expect(story.last).toMatchObject({ kind: 'deliver', owed: item() });
    expect(story.worker.mailbox.current?.text).toContain('drover result --verdict done|blocked');

    ends(story.delivered().see(BUSY), { kind: 'none' });

    expect(endsOf(story)).toEqual([{ kind: 'no-result', commit: 'bbbb', problem: 'there is none' }]);
    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'error', code: 'AGENT_INVALID_OUTPUT' }));
    expect(story.worker.lifecycle.status).toBe('needs_review');
  });

  test('given an agent that was asked, when it gives its result then, then the run is told the result', () => {
    const story = ends(atRunTask(), { kind: 'invalid', problem: 'summary: expected text' });
    story.delivered().see(BUSY);

    ends(story, given(story));

    expect(endsOf(story)).toMatchObject([{ kind: 'result', commit: 'bbbb' }]);
  });

  test.each([
    ['another attempt', { attempt: 2 }, WORK, 'it is for attempt 2, and this is attempt 1'],
    ['a time before the receipt', { at: 1 }, WORK, 'it was written before this attempt began'],
    ['no new commit', {}, {}, 'commit: "done" needs a new commit on your branch'],
    [
      'a verdict of a review',
      { result: { ...DONE, verdict: 'approve' } },
      WORK,
      'verdict: expected "done" or "blocked"',
    ],
  ] as const)('given a result of %s, when the turn ends, then it counts for nothing', (_, change, git, problem) => {
    const story = atRunTask();

    ends(story, { ...given(story), ...change } as ResultSeen, git);

    expect(endsOf(story)).toEqual([]);
    expect(story.worker.mailbox.current?.text).toContain(problem);
  });

  test('given a turn of which no work was seen, when its result is there, then it counts for nothing', () => {
    const story = idle().hear({
      kind: 'start-requested',
      taskId: 't1',
      prompt: 'x',
      text: 'x',
      run: item(1, 'report'),
    });
    story.answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null }).delivered();
    const result = given(story, { report: 'all is well' });
    story.now += story.policy.turnShowsMs;

    ends(story, { ...result, at: story.now } as ResultSeen, {});

    expect(endsOf(story)).toEqual([]);
    expect(story.worker.mailbox.current?.text).toContain('no work of the model was seen');
  });

  test.each(['parts', 'report'] as const)(
    'given a task that owes %s, when it gives that, then no commit is needed',
    (returns) => {
      const story = atRunTask(returns);
      const parts = [{ title: 'a', prompt: 'do a', paths: ['a/**'] }];

      ends(story, given(story, returns === 'parts' ? { parts } : { report: 'all is well' }), {});

      expect(endsOf(story)).toMatchObject([{ kind: 'result', commit: null, base: 'aaaa' }]);
    },
  );

  test.each([
    ['left a file', { dirty: 1 }],
    ['made a commit', WORK],
  ])('given a reviewer that %s, when it approves, then it is told to take that back', (_, git) => {
    const story = atRunTask('review');

    ends(story, given(story, { verdict: 'approve' }), git);

    expect(endsOf(story)).toEqual([]);
    expect(story.worker.mailbox.current?.text).toContain('a review changes nothing');
  });

  test('given an author that declined every finding, when it is done without a commit, then that is a result', () => {
    const story = held().hear({ kind: 'run-turn-requested', id: 'm2', text: 'findings', run: item(2) });
    story.delivered().see(BUSY);
    const answers = [{ finding: 'F1', did: 'declined', why: 'it is right' }] as const;

    ends(story, given(story, { answers }, 2));

    expect(endsOf(story)).toMatchObject([{ kind: 'result', commit: null }]);
  });

  test('given an agent that asked something, when its turn ends without a result, then a person is asked as for any task', () => {
    const story = atRunTask();

    story.see(ASKED).pass('settle').checked(ASKED);

    expect(story.worker.lifecycle.status).toBe('needs_input');
    expect(endsOf(story)).toEqual([]);
  });
});

describe('a worker that holds', () => {
  test('given the default branch moves, when the worker hears of it, then nothing of its work is checked', () => {
    const story = held().hear({ kind: 'default-branch-moved' });

    expect(story.worker.merge.step.kind).toBe('none');
  });

  test('given its agent goes on by itself and commits, when that turn ends, then it counts for nothing', () => {
    const story = held().see(BUSY);

    story.see(READY).pass('settle').checked(READY, { head: 'cccc', ahead: 2 });

    expect(endsOf(story)).toEqual([]);
    expect(story.rules).toContain('run:late');
    expect(story.worker.lifecycle.status).toBe('needs_review');
  });

  test('given findings of the run, when they come twice, then they are typed once, and only another commit is new work', () => {
    const story = held().hear({ kind: 'run-turn-requested', id: 'm2', text: 'findings', run: item(2) });
    expect(story.last).toMatchObject({ kind: 'deliver', text: 'findings', owed: item(2) });

    story.hear({ kind: 'run-turn-requested', id: 'm2', text: 'findings', run: item(2) });
    story.delivered().see(BUSY);
    ends(story, given(story, {}, 2), { head: 'cccc', ahead: 2 });

    expect(story.commands.filter(({ kind }) => kind === 'deliver')).toHaveLength(2);
    expect(endsOf(story)).toMatchObject([{ kind: 'result', commit: 'cccc' }]);
  });

  test('given the run releases it, when that comes twice, then it is idle, and the second is refused as stale', () => {
    const release = { kind: 'run-released', id: 'c1', run: item(), how: 'merged', why: 'its work was merged' } as const;
    const story = held().hear(release);
    expect(story.worker).toMatchObject({ lifecycle: { status: 'idle' }, task: { kind: 'none' } });
    expect(story.records).toContainEqual({ kind: 'task', id: 't1', status: 'accepted' });
    expect(endsOf(story)).toEqual([]);

    story.hear(release);

    expect(story.reply).toMatchObject({ kind: 'refused', code: 'stale' });
  });

  test.each([
    { kind: 'reject-requested', id: 'm9', text: 'no' },
    { kind: 'rebase-requested' },
    { kind: 'accept-requested', pin: { head: 'bbbb', tree: null } },
  ] as const)(
    'given a person asks for $kind, when its work is in a run, then that is refused with the way out',
    (event) => {
      const story = held().hear(event);

      expect(story.reply).toMatchObject({ kind: 'refused', code: 'not-in-review' });
      expect(story.reply).toMatchObject({ message: expect.stringContaining('"drover cancel" takes it away') });
    },
  );
});

describe('what ends an attempt otherwise', () => {
  test.each([
    ['at work', atRunTask],
    ['holding', held],
  ] as const)('given a worker %s, when a person cancels, then the run is told who took it', (_, begin) => {
    const story = begin().hear({ kind: 'cancel-requested', id: 'c1', task: 't1', by: 'ann' });

    expect(endsOf(story)).toEqual([{ kind: 'taken-away', by: 'ann', commit: expect.toSatisfy(() => true) }]);
    expect(story.worker.lifecycle.status).toBe('idle');
  });

  test('given recovery gives up, when the run was told, then its release closes the question', () => {
    const story = atRunTask();
    story.exit(1).pass('restart').opened().exit(1).pass('restart').opened().exit(1);
    while (story.worker.lifecycle.status !== 'error') story.pass('restart').opened().exit(1);
    expect(endsOf(story)).toMatchObject([{ kind: 'failed', code: 'AGENT_CRASHED' }]);

    story.hear({ kind: 'run-released', id: 'c1', run: item(), how: 'dropped', why: 'another worker does it' });

    expect(story.worker).toMatchObject({ lifecycle: { status: 'idle' }, incident: { open: null } });
  });

  test('given words of a person that the agent has not read, when its run interrupts it, then the person is told', () => {
    const story = atRunTask().hear({ kind: 'message-requested', id: 'm1', text: 'mind the gap' });

    story.hear({ kind: 'run-turn-requested', id: 'm2', text: 'report', run: item(), handBack: true });

    const notices = story.records.flatMap((entry) => (entry.kind === 'notice' ? [entry.text] : []));
    expect(notices).toContainEqual(
      expect.stringContaining('its agent was interrupted, perhaps before it had read: "mind the gap"'),
    );
  });

  test('given words of its run and of another agent that the agent has not read, when its run interrupts it, then nobody is told that they lost words', () => {
    const story = atRunTask().hear({ kind: 'message-requested', id: 'm1', text: '20 % is left', grantsNothing: true });
    story.hear({ kind: 'run-turn-requested', id: 'm2', text: 'report', run: item(), handBack: true });
    expect(story.worker.mailbox.current?.text).toBe('report');

    story.hear({ kind: 'cancel-requested', id: 'c1', task: 't1', by: 'ann' });

    const notices = story.records.flatMap((entry) => (entry.kind === 'notice' ? [entry.text] : []));
    expect(notices.filter((text) => text.includes('perhaps before it had read'))).toEqual([]);
  });

  test('given the budget of an agent at work is spent, when it is to hand back, then it is interrupted, told once, and asked for nothing more', () => {
    const handBack = { kind: 'run-turn-requested', id: 'm2', text: 'report', run: item(), handBack: true } as const;
    const story = atRunTask().hear(handBack).hear(handBack);
    expect(story.last?.kind).toBe('interrupt');
    story.answer({ kind: 'at-rest', pressed: 1 }).see(READY);
    expect(story.last).toMatchObject({ kind: 'deliver', text: 'report', owed: item() });

    ends(story.delivered().see(BUSY), { kind: 'none' });

    expect(endsOf(story)).toMatchObject([{ kind: 'no-result', commit: 'bbbb' }]);
    expect(story.commands.filter(({ kind }) => kind === 'interrupt')).toHaveLength(1);
  });

  test('given a machine is removed, when its worker was at a task of a run, then that has failed', () => {
    const story = atRunTask().hear({ kind: 'machine-removed' });

    expect(endsOf(story)).toMatchObject([{ kind: 'failed', code: 'MACHINE_LOST' }]);
  });

  test('given a person removes the worker, when its task was of a run, then the task is its own from now on', () => {
    const story = atRunTask().hear({ kind: 'nuke-requested', force: true, task: 'requeue' });

    expect(endsOf(story)).toMatchObject([{ kind: 'taken-away' }]);
    expect(runOf(story.worker.task)).toBeNull();
  });
});

test("given a worker that waits for a person, when another agent tells it something, then the question stays a person's", () => {
  const story = working().see(READY).pass('settle').checked(READY);
  expect(story.worker.lifecycle.status).toBe('needs_input');

  story.hear({ kind: 'message-requested', id: 'm', text: 'yes, do it', grantsNothing: true });

  expect(story.worker.lifecycle.status).toBe('needs_input');
  expect(story.reply).toMatchObject({ kind: 'refused', code: 'not-working' });
});
