/** Turns without progress, told as stories (docs/recovery.md, stuck). */
import { describe, expect, test } from 'vitest';
import type { AgentState } from '../agent-state.ts';
import { BUSY, inReview, READY, RECEIPT, working } from '../testing/story.ts';
import { NUDGES } from './texts.ts';

const TRUST: AgentState = { kind: 'dialog', dialog: { kind: 'trust', title: 'Trust?', body: '', options: [] } };
const UNKNOWN: AgentState = { kind: 'unknown', why: 'nothing-matched' };
const QUEUED: AgentState = { kind: 'processing', queued: true, composer: { kind: 'empty' } };

describe('a turn without progress', () => {
  test('given nothing but a spinner, when 30, 40 and 45 minutes are over, then it is nudged twice and a person is told', () => {
    const story = working();
    const start = story.worker.progress.at;

    story.pass('nudge').delivered().pass('nudge').delivered();
    const texts = story.ops.flatMap((op) => (op.kind === 'deliver' ? [op.text] : []));
    story.pass('nudge');

    expect(texts.slice(-2)).toEqual(NUDGES);
    expect(story.worker.status).toBe('needs_input');
    expect(story.now - start).toBeGreaterThanOrEqual(45 * 60_000);
    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'escalated', code: 'AGENT_STUCK' }));
  });

  test('given a first nudge, when words come, then the clock starts anew', () => {
    const story = working().pass('nudge').delivered();
    story.now += story.policy.echoMs;

    story.see(BUSY).see(BUSY);

    expect(story.worker.progress).toMatchObject({ nudges: 0, at: story.now });
    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'recovered', code: 'AGENT_STUCK' }));
  });

  test('given a nudge that waits for a look, when the look finds progress, then it is not typed any more', () => {
    const story = working().pass('check').pass('nudge');
    expect(story.worker.outgoing?.purpose).toBe('nudge');

    story.looked(BUSY);

    expect(story.worker).toMatchObject({ outgoing: null, incident: null, inFlight: null });
    expect(story.ops.filter(({ kind }) => kind === 'deliver')).toHaveLength(1);
  });

  test('given a nudge, when only its echo is new on the screen, then that is no progress', () => {
    const story = working().pass('nudge');
    const { at } = story.worker.progress;

    story.delivered().see(BUSY).see(QUEUED);
    story.now += story.policy.echoMs;
    story.see(QUEUED);

    expect(story.worker.progress).toMatchObject({ nudges: 1, at });
    expect(story.worker.incident?.code).toBe('AGENT_STUCK');
  });

  test('given a first nudge, when a commit is there that the screen does not show, then the clock starts anew', () => {
    const story = working();
    story.pass('check').looked(BUSY).pass('nudge').delivered().pass('check').looked(BUSY, { head: 'bbbb', ahead: 1 });

    expect(story.worker.progress).toMatchObject({ nudges: 0, at: story.now });
    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'recovered', code: 'AGENT_STUCK' }));
  });

  test('given a crash, when the restarted agent paints its start for long before it has its task again, then that ends no incident', () => {
    const story = working().exit(1).pass('restart').opened();
    story.now += story.policy.incident.calmMs;

    story.see(TRUST);
    story.see(TRUST);

    expect(story.worker.incident?.code).toBe('AGENT_CRASHED');
  });
});

test('given words in the queue of a program, when a look finds its prompt between two turns, then "ready" must settle before anything is judged', () => {
  const story = working().see(BUSY);
  story.hear({ kind: 'message-ordered', id: 'm', text: 'go on' });
  story.answer({ kind: 'queued', at: story.now, receipt: RECEIPT });
  story.pass('check');

  story.looked(READY, { head: 'bbbb', ahead: 1, subject: 'first' });
  expect(story.worker).toMatchObject({ status: 'working', queued: [{ text: 'go on' }] });

  story.pass('settle').looked(READY, { head: 'bbbb', ahead: 1, subject: 'first' });
  expect(story.worker).toMatchObject({ status: 'needs_review', queued: [] });
});

test('given words for an agent in no turn whose screen shows nothing known, when that lasts, then it counts as silent and is started again', () => {
  const story = inReview().see(UNKNOWN);
  story.accepted();
  story.rebased({ base: 'main' });
  story.answer({ kind: 'invalid', command: 'make', output: 'no' });
  expect(story.worker).toMatchObject({ status: 'working', inFlight: null, turnSince: null });

  story.pass('check').looked(UNKNOWN).pass('nudge');

  expect(story.rules).toContain('silent');
  expect(story.worker.incident?.code).toBe('AGENT_TIMEOUT');
  expect(story.ops.filter(({ kind }) => kind === 'deliver')).toHaveLength(1);
});
