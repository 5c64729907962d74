/** Errors of agents that live, told as stories (docs/recovery.md, errors that the agent shows). */
import { describe, expect, test } from 'vitest';
import type { AgentState } from '../../agent-state.ts';
import { DEFAULT_POLICY } from '../../policy/policy.ts';
import { BUSY, READY, working } from '../../testing/story.ts';

const ASKS: AgentState = {
  kind: 'permission',
  tool: 'Bash',
  command: 'ls',
  dialog: { kind: 'permission', title: 'May I?', body: '', options: [{ label: 'Yes', highlighted: true }] },
};

type AgentError = Extract<AgentState, { kind: 'error' }>;

const API_ERROR: AgentError = {
  kind: 'error',
  error: 'api',
  recoverable: false,
  text: 'API Error: 500',
  resets: null,
  composer: { kind: 'empty' },
};

const EMPTY = { kind: 'empty' } as const;

describe('errors that the agent shows', () => {
  test('given an error that ends the turn, when it comes again, then it is asked to go on after 5, 10 and 20 s, started again with and without its conversation, then a person is told', () => {
    const story = working();
    const waits: number[] = [];
    const fails = (): void => {
      story.see(failing({}));
      waits.push(Math.round(((story.worker.incident.trouble?.until ?? story.now) - story.now) / 1_000));
      story.pass('trouble').delivered().see(BUSY);
    };

    fails();
    fails();
    fails();
    story.see(failing({})).checked(failing({}));
    expect(story.last).toMatchObject({ kind: 'respawn', force: true, launch: { kind: 'resume' } });
    story.opened().see(READY).delivered().see(BUSY).see(failing({})).checked(failing({}));
    expect(story.last).toMatchObject({ kind: 'respawn', force: true, launch: { kind: 'fresh' } });
    story.opened().see(READY).delivered().see(BUSY).see(failing({}));

    expect(waits).toEqual([6, 11, 22]);
    expect(story.worker).toMatchObject({
      lifecycle: { status: 'error' },
      incident: { open: { level: 4, attempts: 5, escalated: true } },
    });
  });

  test('given a usage limit with a reset, when it is shown, then it sleeps until then and asks the agent to go on', () => {
    const story = working().see(failing({ error: 'usage-limit', text: 'limit reached', resets: 'resets in 2 hours' }));
    const waitMs = (story.worker.deadlines.trouble ?? 0) - story.now;

    story.pass('trouble');

    expect(waitMs).toBeGreaterThanOrEqual(2 * 3_600_000);
    expect(waitMs).toBeLessThan(2 * 3_600_000 + DEFAULT_POLICY.limit.waitMs);
    expect(story.last).toMatchObject({ kind: 'deliver', mayQueue: true });
    expect(story.worker.lifecycle.status).toBe('working');
  });

  test('given a limit that says nothing, when it holds, then the waits double up to an hour', () => {
    const story = working();
    const waits: number[] = [];
    for (let time = 1; time <= 6; time += 1) {
      story.see(failing({ error: 'rate-limit', text: 'Request rejected (429)' }));
      waits.push(Math.floor(((story.worker.incident.trouble?.until ?? 0) - story.now) / 60_000));
      story.pass('trouble').delivered().see(BUSY);
    }

    expect(waits).toEqual([5, 10, 20, 40, 60, 60]);
  });

  test('given an error that the program retries by itself, when it goes on, then nothing is asked', () => {
    const story = working()
      .see(failing({ recoverable: true }))
      .see(BUSY);

    expect(story.worker.deadlines.trouble).toBeUndefined();
    expect(story.worker.command.inFlight).toBeNull();
  });

  test('given a full context, when it is shown, then the task is given again in a fresh one, once', () => {
    const full = failing({ error: 'context-exhausted', text: 'Context limit reached' });
    const story = working().see(full).checked(full);
    expect(story.last).toMatchObject({ kind: 'respawn', launch: { kind: 'fresh' } });

    story.opened().see(READY);
    expect(story.last).toMatchObject({ kind: 'deliver' });
    story.delivered().see(BUSY).see(full);

    expect(story.worker.lifecycle.status).toBe('error');
  });

  test('given a conversation that the service refuses, when it says so, then the agent is neither asked to go on nor resumed', () => {
    const refused = failing({ error: 'history-refused', text: 'API Error: 400 Could not process image' });
    const story = working().see(refused);
    expect(story.last).not.toMatchObject({ kind: 'deliver', text: expect.stringContaining('400') });

    story.checked(refused);

    expect(story.commands.filter(({ kind }) => kind === 'respawn')).toMatchObject([{ launch: { kind: 'fresh' } }]);
    story.opened().see(READY);
    expect(story.last).toMatchObject({ kind: 'deliver', text: expect.stringContaining('make it so') });
  });

  test('given a service that limits requests, when it says that this is no limit of the account, then one worker waits', () => {
    const text = 'Server is temporarily limiting requests (not your usage limit) · Rate limited';
    const story = working().see(failing({ error: 'rate-limit', text }));

    expect(story.records.filter(({ kind }) => kind === 'account')).toEqual([]);
    expect(story.worker.deadlines.trouble).toBeDefined();
  });

  test('given an account that cannot pay, when it says so, then no reset is waited for', () => {
    const text = 'Credit balance too low · Add funds';
    const story = working().see(failing({ error: 'usage-limit', text }));

    expect(story.worker.lifecycle.status).toBe('error');
    expect(story.worker.lifecycle.note).toContain('cannot pay');
  });

  test('given a refused login that the program still retries, when it is shown, then its retries are waited for', () => {
    const story = working().see(failing({ error: 'auth', text: 'Reconnecting 1/5 · 403', recoverable: true }));

    expect(story.worker.lifecycle.status).toBe('working');
    expect(story.worker.deadlines.trouble).toBeDefined();
  });

  test('given a login that is over, when it is shown, then a person is told at once', () => {
    const story = working().see(failing({ error: 'auth', text: 'Please run /login' }));

    expect(story.worker.lifecycle.status).toBe('error');
    expect(story.worker.lifecycle.note).toContain('/login');
  });

  test('given a dialog that a person answered between two checks, when its turn has failed meanwhile, then that is handled like any error', () => {
    const story = working().see(ASKS);
    expect(story.worker.lifecycle.status).toBe('needs_input');

    story.see(failing({}));

    expect(story.worker).toMatchObject({
      lifecycle: { status: 'working' },
      incident: { trouble: { error: 'api' }, open: { code: 'AGENT_API_ERROR' } },
    });
  });

  test('given a person who is asked, when the same screen shows an error that is none of its turn, then the question stays', () => {
    const story = working().see(READY).pass('settle').checked(READY);
    const incident = story.worker.incident.open;
    expect(story.worker).toMatchObject({
      lifecycle: { status: 'needs_input' },
      incident: { open: { escalated: true } },
    });

    story.see(failing({}));

    expect(story.worker).toMatchObject({
      lifecycle: { status: 'needs_input' },
      incident: { open: { id: incident?.id }, trouble: null },
    });
  });

  test('given a question that went with its session, when the new one shows an old error and no turn, then a person is asked about that', () => {
    const story = working().see(ASKS).hear({ kind: 'panes-listed', pane: null });
    story.opened().see(failing({}));
    expect(story.last).toMatchObject({ kind: 'observe', base: 'aaaa' });

    story.checked(failing({}));

    expect(story.worker).toMatchObject({
      lifecycle: { status: 'needs_input' },
      incident: { open: { escalated: true } },
    });
    expect(story.worker.lifecycle.note).toContain('API Error: 500');
  });
});

test('R8: given an agent whose task it never had, when it comes up with an error, then that is handled the first time it is seen', () => {
  const story = working().hear({ kind: 'panes-listed', pane: null }).opened();
  const { task } = story.worker;
  story.change({ task: task.kind === 'none' ? task : { ...task, taken: false } });

  story.see({ kind: 'error', error: 'api', recoverable: false, text: 'API Error', resets: null, composer: EMPTY });

  expect(story.worker.incident.trouble).toMatchObject({ error: 'api' });
});

function failing(patch: Partial<AgentError>): AgentError {
  return { ...API_ERROR, ...patch };
}
