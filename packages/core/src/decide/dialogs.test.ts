/** Dialogs of agents at work, told as stories (docs/recovery.md, dialogs). */
import { describe, expect, test } from 'vitest';
import type { AgentState } from '../agent-state.ts';
import { chooseLabel } from '../policy/dialogs.ts';
import type { DialogPolicy } from '../policy/dialogs.ts';
import { DEFAULT_POLICY } from '../policy/policy.ts';
import { BUSY, idle, READY, working } from '../testing/story.ts';
import type { Story } from '../testing/story.ts';

const OPTIONS = ['Yes', "Yes, and don't ask again this session", 'No, and tell it what to do'];

describe('the policy of dialogs', () => {
  test.each([
    ['allow', 'Yes'],
    ['deny', 'No, and tell it what to do'],
  ] as const)(
    'given "%s", when permission is asked for, then the option "%s" is chosen by its words',
    (wish, label) => {
      const story = under({ permission: wish }).see(asksFor('npm test'));

      expect(story.last).toEqual({
        kind: 'answer',
        incarnation: story.incarnation,
        fingerprint: 'permission',
        choice: { kind: 'label', label },
      });
      expect(story.worker).toMatchObject({ status: 'working', incident: null });
    },
  );

  test('given "ask", when permission is asked for, then a person is asked once, with the options of the dialog', () => {
    const story = under({}).see(asksFor('npm test'));
    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'escalated', code: 'AGENT_BLOCKED' }));

    story.see(asksFor('npm test')).pass('check').looked(asksFor('npm test'));

    expect(story.records).toEqual([]);
    expect(story.worker.incident?.options.map(({ id }) => id)).toEqual([...OPTIONS, 'skip', 'take-over']);
  });

  test.each([
    ['npm test', 'answer'],
    ['npm test -- --watch', 'answer'],
    ['npm test; rm -rf /', 'ask'],
    ['rm -rf /', 'ask'],
  ])('given a rule that allows "npm test*", when "%s" is asked for, then the policy says: %s', (command, then) => {
    const rules = [{ tool: 'Bash', command: 'npm test*', wish: 'allow' }] as const;

    const story = under({ rules }).see(asksFor(command));

    expect(story.last?.kind === 'answer').toBe(then === 'answer');
  });

  test('given a dialog that comes again and again, when it was answered often enough, then a person is asked', () => {
    const story = under({ permission: 'allow' });

    for (let time = 0; time < DEFAULT_POLICY.dialogs.answersMax; time += 1)
      story.see(asksFor('ls')).answer({ kind: 'answered', label: 'Yes' });
    story.see(asksFor('ls'));

    expect(story.worker).toMatchObject({ status: 'needs_input', incident: { escalated: true } });
  });

  test('R4: given a dialog that was decided upon, when the machine finds another screen, then it is decided anew', () => {
    const story = under({ permission: 'allow' }).see(asksFor('ls')).answer({ kind: 'stale', why: 'another screen' });

    expect(story.worker).toMatchObject({ dialog: null, seen: { state: { kind: 'unknown' } }, inFlight: null });
  });

  test('given options without a plain yes, when one is looked for, then there is none', () => {
    const labels = ['Yes, always', 'Allow all', 'Maybe'].map((label) => ({ label, highlighted: false }));

    expect(chooseLabel(labels, 'allow')).toBeNull();
  });
});

describe('a person who chooses', () => {
  test('given an option, when it is answered, then it is pending until the machine has chosen it', () => {
    const story = chosen('Yes');
    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'answer-applied', application: 'pending' }));
    expect(story.last).toMatchObject({ kind: 'answer', choice: { kind: 'label', label: 'Yes' } });

    story.answer({ kind: 'answered', label: 'Yes' });
    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'answer-applied', application: 'applied' }));
    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'escalation-closed', option: 'Yes' }));
    story.see(BUSY);

    expect(story.worker).toMatchObject({ status: 'working', incident: null, dialog: null });
  });

  test('given an option, when the screen is another one by then, then the question is open again', () => {
    const story = chosen('Yes').answer({ kind: 'stale', why: 'the dialog changed' });

    expect(story.records).toContainEqual(
      expect.objectContaining({ kind: 'answer-applied', application: 'rejected_stale' }),
    );
    expect(story.worker.incident?.escalated).toBe(true);
  });

  test('given a question, when somebody answers it by hand, then it is resolved and another one is asked anew', () => {
    const story = under({}).see(asksFor('one')).see(asksFor('two'));

    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'escalation-closed', how: 'resolved' }));
    expect(story.worker.note).toContain('two');
    expect(story.worker.incident?.escalated).toBe(true);
  });
});

describe('a dialog of the start', () => {
  const trust: AgentState = { kind: 'dialog', dialog: { kind: 'trust', title: 'Trust?', body: '', options: [] } };

  test('given a ready that flickered, when the trust dialog comes after it, then it is answered as at the start', () => {
    const story = idle().see(trust);

    expect(story.last).toMatchObject({ kind: 'answer', choice: { kind: 'policy', dialog: 'trust' } });
    story.answer({ kind: 'answered', label: 'Yes' }).see(READY);
    expect(story.worker.status).toBe('idle');
  });

  test('given a profile without an answer, when it says so, then a person is asked, and hands that answer it settle it', () => {
    const story = idle().see(trust);

    story.answer({ kind: 'failed', code: 'no-answer', message: 'the profile has none', retry: false });
    expect(story.worker).toMatchObject({ status: 'error', incident: { code: 'AGENT_BLOCKED', escalated: true } });
    story.see(READY);

    expect(story.worker).toMatchObject({ status: 'idle', incident: null });
  });
});

function under(patch: Partial<DialogPolicy>): Story {
  const story = working();
  story.policy = { ...DEFAULT_POLICY, dialogs: { ...DEFAULT_POLICY.dialogs, ...patch } };
  return story;
}

function asksFor(command: string): AgentState {
  const options = OPTIONS.map((label, index) => ({ label, highlighted: index === 0 }));
  return {
    kind: 'permission',
    tool: 'Bash',
    command,
    dialog: { kind: 'permission', title: 'Allow?', body: command, options },
  };
}

function chosen(option: string): Story {
  const story = under({}).see(asksFor('ls'));
  const incident = story.worker.incident?.id ?? 'none';
  return story.hear({ kind: 'escalation-answered', incident, option, text: null, by: 'ada' });
}
