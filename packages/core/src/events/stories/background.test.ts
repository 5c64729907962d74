/** Waits for what a turn left running, and sees what an agent does by itself later (docs/recovery.md, stuck). */
import { describe, expect, test } from 'vitest';
import type { AgentState } from '../../agent-state.ts';
import { BUSY, idle, inReview, READY, working } from '../../testing/story.ts';
import type { Story } from '../../testing/story.ts';

const RUNNING: AgentState = {
  kind: 'ready',
  after: 'completed',
  composer: { kind: 'empty' },
  background: 'background shell',
};
const DIALOG: AgentState = {
  kind: 'dialog',
  dialog: { kind: 'other', title: 'Held message', body: '', options: [{ label: 'Deny', highlighted: true }] },
};
const WORK = { head: 'bbbb', ahead: 1, subject: 'work' };
const MORE = { head: 'cccc', ahead: 2, subject: 'late' };

/** Leaves a shell running at the end of a turn. */
function running(): Story {
  return working().see(RUNNING);
}

describe('a turn that leaves work running', () => {
  test('given a commit and a shell that runs on, when a check looks, then nothing is reviewed and nobody is asked', () => {
    const story = running().pass('check').checked(RUNNING, WORK);

    expect(story.worker).toMatchObject({
      lifecycle: { status: 'working', note: 'waits for its background shell' },
      incident: { open: null },
      merge: { step: { kind: 'none' } },
    });
    expect(story.worker.deadlines).not.toHaveProperty('nudge');
    expect(story.worker.deadlines).not.toHaveProperty('settle');
  });

  test('given minutes of waiting, when a check looks, then the words say for how long', () => {
    const story = running();
    for (let minute = 0; minute < 3; minute += 1) story.pass('check').checked(RUNNING);

    expect(story.worker.lifecycle.note).toBe('waits for its background shell, 3 min');
  });

  test('given a shell that ends and wakes its agent, when the agent commits, then the work is reviewed', () => {
    const story = running().see(BUSY).see(READY).pass('settle').checked(READY, WORK).candidate().valid();

    expect(story.worker.lifecycle.status).toBe('needs_review');
  });

  test('given a shell that ends in silence, when the prompt has settled, then the turn is judged', () => {
    const story = running().see(READY).pass('settle').checked(READY);

    expect(story.worker.lifecycle).toMatchObject({ status: 'needs_input', note: 'stopped without a new commit' });
  });

  test('given a prompt that was settling, when its program shows a shell after all, then the turn is not over', () => {
    const story = working().see(READY);
    expect(story.worker.deadlines).toHaveProperty('settle');

    story.see(RUNNING);

    expect(story.worker.deadlines).not.toHaveProperty('settle');
  });

  test('given background.maxMs, when the shell still runs, then a person is asked once', () => {
    const story = running().pass('background');
    expect(story.worker.lifecycle).toMatchObject({
      status: 'needs_input',
      note: 'has waited for its background shell for 30 min',
    });
    const { open } = story.worker.incident;

    story.see(RUNNING).pass('check').checked(RUNNING);

    expect(story.worker.incident.open).toBe(open);
    expect(story.worker.deadlines).not.toHaveProperty('background');
  });

  test('given a machine that was away, when the time is over, then the clock starts again', () => {
    const story = running();
    story.connected = false;

    story.pass('background');

    expect(story.worker.incident.open).toBeNull();
    expect(story.worker.deadlines.background).toBe(story.now + story.policy.background.maxMs);
  });

  test('given a server that is to run on, when a person says so, then the turn is judged, and the next one too', () => {
    const story = running().pass('background');
    const incident = story.worker.incident.open?.id ?? '';

    story.hear({ kind: 'escalation-answered', incident, option: 'let-run', text: null, by: 'ada' });
    story.checked(RUNNING, WORK).candidate().valid();
    expect(story.worker.lifecycle.status).toBe('needs_review');

    story.hear({ kind: 'reject-requested', id: 'r', text: 'again' }).delivered().see(BUSY).see(RUNNING);
    story.pass('settle').checked(RUNNING, MORE).candidate().valid();
    expect(story.worker.lifecycle.status).toBe('needs_review');
  });

  test('given an agent that works between two shells, when the second runs, then its wait has a clock of its own', () => {
    const story = running();
    const first = story.worker.deadlines.background ?? 0;
    story.now += 60_000;

    story.see(BUSY).see(RUNNING);

    expect(story.worker.deadlines.background).toBeGreaterThan(first + 59_000);
  });
});

describe('an agent that goes on by itself', () => {
  test('given work in review, when a later commit ends a turn of the agent, then the review begins again with it', () => {
    const story = inReview().see(BUSY).see(READY).pass('settle').checked(READY, MORE);

    expect(story.worker).toMatchObject({
      lifecycle: { status: 'working' },
      merge: { step: { kind: 'reviewing', head: 'cccc' } },
    });
  });

  test('given work in review, when the turn adds nothing, then the work waits on', () => {
    const story = inReview().see(BUSY).see(READY).pass('settle').checked(READY, WORK);

    expect(story.worker).toMatchObject({ lifecycle: { status: 'needs_review' }, merge: { step: { kind: 'none' } } });
  });

  test.each([
    ['its agent is at work', BUSY, 'working again'],
    ['a shell of its agent runs', RUNNING, 'background shell'],
  ])('given work in review, when it is accepted while %s, then the accept says so', (_, state, words) => {
    const story = inReview().see(state).accepted();

    expect(story.reply).toMatchObject({ kind: 'refused', code: 'at-work', message: expect.stringContaining(words) });
  });

  test('given work in review, when a dialog opens, then a person is asked with its options', () => {
    const story = inReview().see(DIALOG);

    expect(story.worker.lifecycle).toMatchObject({ status: 'needs_input', note: 'asks: Held message' });
    expect(story.worker.incident.open?.options.map(({ id }) => id)).toContain('Deny');
  });

  test('given a permission in a worker without a task, when it shows, then a person is asked', () => {
    const { dialog } = DIALOG;
    const story = idle().see({ kind: 'permission', tool: 'Bash', command: 'ls', dialog });

    expect(story.worker.incident.open).toMatchObject({ escalated: true });
  });

  test('given a worker without a task, when its agent commits by itself, then the work is reviewed', () => {
    const story = idle().see(BUSY).see(READY).pass('settle').checked(READY, WORK).candidate().valid();

    expect(story.worker.lifecycle.status).toBe('needs_review');
  });

  test('given a question about a stop, when the agent only takes notice of something, then nobody is asked again', () => {
    const story = working().see(READY).pass('settle').checked(READY);
    const { open } = story.worker.incident;

    for (let notice = 0; notice < 3; notice += 1) story.see(BUSY).see(READY).pass('settle').checked(READY);

    expect(story.worker.lifecycle.status).toBe('needs_input');
    expect(story.worker.incident.open).toBe(open);
  });

  test('given the same, when a notice leads to a commit, then the work is reviewed', () => {
    const story = working().see(READY).pass('settle').checked(READY);

    story.see(BUSY).see(READY).pass('settle').checked(READY, WORK).candidate().valid();

    expect(story.worker.lifecycle.status).toBe('needs_review');
  });
});
