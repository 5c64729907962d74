/** A worker's place is set up before its agent starts, and again when the machine names another set-up. */
import { describe, expect, test } from 'vitest';
import { explainWorker } from '../../../explain/worker.ts';
import { READY, Story } from '../../../testing/story.ts';

const START = { kind: 'start-requested', taskId: 't1', prompt: 'do it', text: 'do it' } as const;
const PREPARED = { kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null } as const;
const DONE = { kind: 'set-up', said: '"npm ci"\nadded 3 packages' } as const;
const FAILED = {
  kind: 'failed',
  code: 'setup-failed',
  message: '"npm ci" of [repo.worker] setup in drover.toml failed with exit status 1.\nno such host',
  retry: false,
} as const;

function prepared(key: string, fresh: boolean) {
  return { ...PREPARED, setUp: { key, fresh } };
}

/** Adds a worker whose new place is to be set up. */
function added(): Story {
  return new Story().hear({ kind: 'up-requested' }).answer(prepared('a', true));
}

/** Shows the agent's prompt, in a place that was set up. */
function ready(): Story {
  return added().answer(DONE).opened().see(READY);
}

function kinds({ commands }: Story): readonly string[] {
  return commands.map(({ kind }) => kind);
}

describe('a place that is to be set up', () => {
  test('given a new worker, when its place is made, then it is set up before its agent starts, and what was said is told', () => {
    const story = added();
    expect(story.last).toEqual({ kind: 'set-up' });

    story.answer(DONE);

    expect(kinds(story)).toEqual(['prepare', 'set-up', 'open']);
    expect(story.records).toContainEqual({
      kind: 'notice',
      text: 'its worktree was set up: "npm ci"\nadded 3 packages',
    });
  });

  test('given a place that is set up, when a task begins with the same lock files, then it is not set up again', () => {
    const story = ready().hear(START).answer(prepared('a', false));

    expect(kinds(story).slice(-2)).toEqual(['prepare', 'deliver']);
  });

  test('given a place that is set up, when a task begins with other lock files, then it is set up again before the task is given', () => {
    const story = ready().hear(START).answer(prepared('b', false));
    expect(story.last?.kind).toBe('set-up');

    story.answer(DONE);

    expect(story.last?.kind).toBe('deliver');
    expect(story.worker.worktree.setUp).toEqual({ key: 'b', state: 'done' });
  });

  test('given a place that was set up, when it had to be made again, then it is set up again', () => {
    const story = ready().hear(START).answer(prepared('a', true));

    expect(story.last?.kind).toBe('set-up');
  });

  test('given a machine that went down while it set the place up, when it is back, then the place is set up again', () => {
    const story = added().answer({ kind: 'unknown', why: 'the machine agent died' });

    expect(kinds(story)).toEqual(['prepare', 'set-up', 'set-up']);
  });

  test('given a project without a set-up, when its machine says so, then nothing of the former one is left', () => {
    const story = ready().hear(START).answer(PREPARED);

    expect(story.worker.worktree.setUp).toBeNull();
    expect(story.last?.kind).toBe('deliver');
  });
});

describe('a set-up that fails', () => {
  test('given a new worker, when its set-up fails, then its agent is not started, and a person is asked once, with the last lines', () => {
    const story = added().answer(FAILED);

    expect(kinds(story)).toEqual(['prepare', 'set-up']);
    expect(story.worker.lifecycle.status).toBe('error');
    const asked = story.records.filter(({ kind }) => kind === 'escalated');
    expect(asked).toMatchObject([
      {
        code: 'SETUP_FAILED',
        question: {
          title: '"set-up" failed: "npm ci" of [repo.worker] setup in drover.toml failed with exit status 1.',
          body: 'no such host',
        },
      },
    ]);
    const said = explainWorker(story.worker, { name: 'adam', now: story.now, escalation: null }).join('\n');
    expect(said).toContain('no such host');
    expect(said).toContain('--option without-set-up');
  });

  test('given the question, when a person says to try again, then it is set up again', () => {
    const story = answered(added().answer(FAILED), 'retry');
    if (story.worker.command.inFlight === null) story.pass('hold');

    expect(story.last?.kind).toBe('set-up');
    story.answer(DONE);
    expect(story.last?.kind).toBe('open');
  });

  test('given the question, when a person says to go on without, then the agent starts, and nobody is asked again for the same lock files', () => {
    const story = answered(added().answer(FAILED), 'without-set-up');
    if (story.worker.command.inFlight === null) story.pass('hold');
    expect(story.last?.kind).toBe('open');

    story.opened().see(READY).hear(START).answer(prepared('a', false));
    expect(story.last?.kind).toBe('deliver');
    const said = explainWorker(story.worker, { name: 'adam', now: story.now, escalation: null }).join('\n');
    expect(said).toContain('without the set-up of its worktree');
  });

  test('given a task for an agent at its prompt, when its new set-up fails and a person says to go on, then the task is given', () => {
    const story = answered(ready().hear(START).answer(prepared('b', false)).answer(FAILED), 'without-set-up');
    if (story.worker.command.inFlight === null) story.pass('hold');

    expect(story.last).toMatchObject({ kind: 'deliver', text: 'do it' });
  });
});

function answered(story: Story, option: string): Story {
  const incident = story.worker.incident.open?.id ?? '';
  return story.hear({ kind: 'escalation-answered', incident, option, text: null, by: 'ann' });
}
