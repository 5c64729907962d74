/** Rebases that leave conflicts, or fail, with any act of their worker meanwhile. */
import { describe, expect, test } from 'vitest';
import type { AgentState } from '../../agent-state.ts';
import type { CommandResult } from '../../machine/commands.ts';
import { DEFAULT_POLICY } from '../../policy/policy.ts';
import { beingRebased, BUSY, CONFLICT, READY, resolving } from '../../testing/story.ts';
import type { Story } from '../../testing/story.ts';

const PERMISSION: AgentState = {
  kind: 'permission',
  tool: 'Bash',
  command: 'ls',
  dialog: { kind: 'permission', title: 'May I?', body: '', options: [{ label: 'Yes', highlighted: true }] },
};

const FULL: CommandResult = { kind: 'failed', code: 'disk-full', message: 'no space left', retry: true };

const NO_PROGRAM: CommandResult = { kind: 'failed', code: 'program-missing', message: 'no tmux', retry: false };

const QUESTION = {
  kind: 'question',
  form: 'multiple-choice',
  dialog: { kind: 'question', title: 'Which way?', body: '', options: [{ label: 'Yes', highlighted: true }] },
} as const;

test('given conflicts that its agent was helped with, when no progress comes for five minutes, then a person is asked', () => {
  const story = resolving().judged('in-progress').delivered().see(BUSY);
  const waitMs = (story.worker.deadlines.nudge ?? 0) - story.worker.turn.progress.at;

  story.pass('nudge');

  expect(waitMs).toBe(DEFAULT_POLICY.rework.stuckMs);
  expect(story.worker).toMatchObject({ lifecycle: { status: 'error' }, session: { pane: { kind: 'up' } } });
  expect(story.records).toContainEqual(expect.objectContaining({ kind: 'escalated', code: 'REBASE_STUCK' }));
});

describe('a rebase under way when work is sent back', () => {
  const permission = { kind: 'permission', title: 'Allow?', body: '', options: [] } as const;

  test('given the agent asks meanwhile, when the rebase conflicts, then it is rebasing, for so the worktree is', () => {
    const story = beingRebased().hear({ kind: 'reject-requested', id: 'r', text: 'better' });
    story.see({ kind: 'permission', tool: 'Bash', command: 'ls', dialog: permission });
    expect(story.worker.lifecycle.status).toBe('needs_input');

    story.answer(CONFLICT);

    expect(story.worker.lifecycle.status).toBe('rebasing');
  });

  test('given the agent asks and goes on meanwhile, when the rebase conflicts, then it is rebasing too', () => {
    const story = beingRebased().hear({ kind: 'reject-requested', id: 'r', text: 'better' });
    story.see({ kind: 'permission', tool: 'Bash', command: 'ls', dialog: permission }).see(BUSY);
    expect(story.worker.lifecycle.status).toBe('working');

    story.answer(CONFLICT);

    expect(story.worker.lifecycle.status).toBe('rebasing');
  });

  test('given feedback that goes first, when the rebase conflicts, then its agent gets it in the conversation that it is about', () => {
    const story = beingRebased().hear({ kind: 'reject-requested', id: 'r', text: 'better' });
    story.change({ session: { conversation: { id: 'c1', used: true } } });

    story.see(READY).answer(CONFLICT);

    expect(story.last).toMatchObject({ kind: 'deliver', text: 'better' });
    expect(story.commands.filter(({ kind }) => kind === 'respawn')).toEqual([]);
  });
});

describe('a rebase is under way when a person sends the work back', () => {
  test('given the agent at work by then, when the rebase conflicts, then its work is rebasing', () => {
    expect(sentBack().answer(CONFLICT).worker).toMatchObject({
      lifecycle: { status: 'rebasing' },
      mailbox: { current: { purpose: 'rejection' } },
    });
  });

  test('given an agent that asks by then, when the rebase conflicts, then its work is rebasing', () => {
    const story = sentBack().see(PERMISSION);
    expect(story.worker.lifecycle.status).toBe('needs_input');

    expect(story.answer(CONFLICT).worker.lifecycle.status).toBe('rebasing');
  });

  test('given an agent that asked and goes on by then, when the rebase conflicts, then its work is rebasing', () => {
    const story = sentBack().see(PERMISSION).see(BUSY);
    expect(story.worker.lifecycle.status).toBe('working');

    expect(story.answer(CONFLICT).worker.lifecycle.status).toBe('rebasing');
  });
});

test('total: given a rebase under way, when its task is ended meanwhile, then conflicts move no worker', () => {
  const story = beingRebased();
  expect(story.last).toMatchObject({ kind: 'rebase' });
  story.change({ lifecycle: { status: 'idle' }, task: { kind: 'none' } });

  story.answer(CONFLICT);

  expect(story.worker.lifecycle.status).toBe('idle');
});

test('R2: given a rebase that fails for good, when the default branch moves, then its work is not checked again at once', () => {
  const story = beingRebased().answer(NO_PROGRAM);
  expect(story.worker).toMatchObject({
    merge: { step: { kind: 'none' }, rebaseDue: false },
    command: { inFlight: null },
  });

  story.hear({ kind: 'default-branch-moved' });

  expect(story.worker.command.inFlight).toBeNull();
  expect(story.pass('hold').last).toMatchObject({ kind: 'candidate' });
});

test('R2: given a rebase that fails while a person is asked, when a check is due that may bring the work back to review, then its pause comes first', () => {
  const story = beingRebased();
  story.hear({ kind: 'repair-requested', repair: { kind: 'ask', why: 'no prompt is on record' } }).pass('check');

  story.answer(FULL);

  expect(story.worker).toMatchObject({
    lifecycle: { status: 'needs_input' },
    turn: { judgeDue: true },
    command: { inFlight: null },
  });
  expect(story.worker.deadlines.hold).toBeGreaterThan(story.now);
});

test('given a rebase under way, when a person takes over before it ends in conflicts, then the worker stays theirs until their next request', () => {
  const story = asksWhileRebased();
  expect(story.last).toMatchObject({ kind: 'rebase' });
  answer(story, 'take-over');

  story.answer(CONFLICT);

  expect(story.worker).toMatchObject({
    lifecycle: { status: 'needs_input', takenOver: true },
    mailbox: { current: { text: 'not good' } },
  });
  story.see(READY).hear({ kind: 'message-requested', id: 'm', text: 'go on' });
  expect(story.worker.lifecycle.takenOver).toBe(false);
  expect(['working', 'rebasing']).toContain(story.worker.lifecycle.status);
});

test.each([
  ['asked about', (story: Story) => story, []],
  ['who answered', (story: Story) => answer(story, 'Yes'), ['rejected_stale']],
])(
  'given a dialog and a person %s, when a rebase ends in conflicts before the option is chosen, then those have a budget of their own, and the dialog is asked about again',
  (_, act, application) => {
    const story = asksWhileRebased();
    const asked = story.worker.incident.open?.id;
    act(story);

    story.answer(CONFLICT);

    const told = story.records.flatMap((one) => (one.kind === 'answer-applied' ? [one.application] : []));
    expect(told).toEqual(application);
    expect(story.worker).toMatchObject({
      lifecycle: { status: 'rebasing' },
      dialog: { inHand: null },
      incident: { open: { code: 'REBASE_CONFLICT' } },
    });
    expect(story.last).toMatchObject({ kind: 'observe' });
    story.checked(QUESTION);
    expect(story.worker).toMatchObject({
      lifecycle: { status: 'needs_input' },
      incident: { open: { code: 'AGENT_BLOCKED', escalated: true } },
    });
    expect(story.worker.incident.open?.id).not.toBe(asked);
  },
);

test('given a person who is asked, when a rebase from before fails, then the question stays as it is', () => {
  const story = asksWhileRebased();
  const incident = story.worker.incident.open;

  story.answer({ kind: 'failed', code: 'disk-full', message: 'no space left on device', retry: true });

  expect(story.worker.incident.open).toEqual(incident);
  expect(story.records).toContainEqual(
    expect.objectContaining({ kind: 'error', message: expect.stringContaining('no space') }),
  );
});

function sentBack(): Story {
  const story = beingRebased();
  return story.hear({ kind: 'reject-requested', id: 'r1', text: 'not yet' });
}

/** Lets an agent ask something before the end of a rebase, during which its work was sent back. */
function asksWhileRebased(): Story {
  const story = beingRebased();
  return story.hear({ kind: 'reject-requested', id: 'r', text: 'not good' }).see(BUSY).see(QUESTION);
}

function answer(story: Story, option: string): Story {
  const incident = story.worker.incident.open?.id ?? '';
  return story.hear({ kind: 'escalation-answered', incident, option, text: null, by: 'somebody' });
}
