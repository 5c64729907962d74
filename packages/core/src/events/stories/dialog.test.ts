/** Dialogs of agents at work, told as stories (docs/recovery.md, dialogs). */
import { describe, expect, test } from 'vitest';
import type { AgentState } from '../../agent-state.ts';
import { chooseLabel } from '../../policy/dialogs.ts';
import type { DialogPolicy } from '../../policy/dialogs.ts';
import { DEFAULT_POLICY } from '../../policy/policy.ts';
import { BUSY, idle, READY, working } from '../../testing/story.ts';
import type { Story } from '../../testing/story.ts';
import type { WorkerEvent } from '../../worker/event.ts';

const OPTIONS = ['Yes', "Yes, and don't ask again this session", 'No, and tell it what to do'];

const TRUST = 'Trust?';

const UNREADABLE: AgentState = { kind: 'unknown', why: 'nothing-matched' };

const ASKS: AgentState = {
  kind: 'permission',
  tool: 'Bash',
  command: 'ls',
  dialog: { kind: 'permission', title: 'May I?', body: '', options: [{ label: 'Yes', highlighted: true }] },
};

const QUESTION = {
  kind: 'question',
  form: 'multiple-choice',
  dialog: { kind: 'question', title: 'Which way?', body: '', options: [{ label: 'Yes', highlighted: true }] },
} as const;

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
      expect(story.worker).toMatchObject({ lifecycle: { status: 'working' }, incident: { open: null } });
      // The history has the decision made for a person.
      expect(story.records).toEqual([
        { kind: 'notice', text: expect.stringContaining(`npm test; the policy says "${label}"`) },
      ]);
    },
  );

  test('given "ask", when permission is asked for, then a person is asked once, with the options of the dialog', () => {
    const story = under({}).see(asksFor('npm test'));
    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'escalated', code: 'AGENT_BLOCKED' }));

    story.see(asksFor('npm test')).pass('check').checked(asksFor('npm test'));

    expect(story.records).toEqual([]);
    expect(story.worker.incident.open?.options.map(({ id }) => id)).toEqual([...OPTIONS, 'skip', 'take-over']);
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

    expect(story.worker).toMatchObject({
      lifecycle: { status: 'needs_input' },
      incident: { open: { escalated: true } },
    });
  });

  test('R4: given a dialog that was decided upon, when the machine finds another screen, then it is decided again', () => {
    const story = under({ permission: 'allow' }).see(asksFor('ls')).answer({ kind: 'stale', why: 'another screen' });

    expect(story.worker).toMatchObject({
      dialog: { inHand: null },
      session: { pane: { seen: { state: { kind: 'unknown' } } } },
      command: { inFlight: null },
    });
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

    expect(story.worker).toMatchObject({
      lifecycle: { status: 'working' },
      incident: { open: null },
      dialog: { inHand: null },
    });
  });

  test('given an option, when the screen is another one by then, then the question is open again', () => {
    const story = chosen('Yes').answer({ kind: 'stale', why: 'the dialog changed' });

    expect(story.records).toContainEqual(
      expect.objectContaining({ kind: 'answer-applied', application: 'rejected_stale' }),
    );
    expect(story.worker.incident.open?.escalated).toBe(true);
  });

  test('R1: given an answer whose turn shows nothing that can be read, when a check comes, then its silence has a clock again', () => {
    const story = chosen('Yes').answer({ kind: 'answered', label: 'Yes' }).see(UNREADABLE);
    expect(story.worker).toMatchObject({ lifecycle: { status: 'needs_input' }, incident: { open: null } });

    story.pass('check').checked(UNREADABLE);

    expect(story.worker.lifecycle.status).toBe('working');
    expect(story.worker.deadlines.nudge).toBe(story.now + DEFAULT_POLICY.silence.firstMs);
    story.pass('nudge').delivered().pass('nudge').delivered().pass('nudge').checked(UNREADABLE);
    expect(story.last).toMatchObject({ kind: 'respawn' });
  });

  test('R1: given a question that went with its session, when the new one shows nothing that can be read, then a person is asked', () => {
    const story = working().see(asksFor('ls')).hear({ kind: 'panes-listed', pane: null }).opened().see(READY);
    expect(story.worker).toMatchObject({ lifecycle: { status: 'needs_input' }, incident: { open: null } });

    story.checked(UNREADABLE);

    expect(story.worker).toMatchObject({
      lifecycle: { status: 'needs_input' },
      incident: { open: { escalated: true } },
    });
    expect(story.worker.lifecycle.note).toContain('cannot read the screen of its agent');
  });

  test('given a question, when a person answers it by hand, then it is resolved and another one is asked again', () => {
    const story = under({}).see(asksFor('one')).see(asksFor('two'));

    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'escalation-closed', how: 'resolved' }));
    expect(story.worker.lifecycle.note).toContain('two');
    expect(story.worker.incident.open?.escalated).toBe(true);
  });
});

describe('a worker in error that a person was asked about its dialog', () => {
  test('R1: given a highlight that moved meanwhile, when an option is answered, then it is chosen on the screen of now', () => {
    const story = inError();
    show(story, TRUST, 'the second option');

    story.hear(answers(story, 'Yes'));

    expect(story.last).toMatchObject({ kind: 'answer', fingerprint: 'the second option', choice: { label: 'Yes' } });
  });

  test('R1: given a session that is gone with its dialog, when it is opened again, then the worker is well and not in error', () => {
    const story = inError().hear({ kind: 'panes-listed', pane: null });
    expect(story.worker).toMatchObject({ lifecycle: { status: 'offline', before: 'idle' } });

    story.opened().see(READY);

    expect(story.worker).toMatchObject({ lifecycle: { status: 'idle' }, incident: { open: null } });
  });

  test('R4: given another dialog with the same words to choose from, when an option is answered, then it is refused', () => {
    const story = inError();
    show(story, 'Overwrite everything?', 'another');

    story.hear(answers(story, 'Yes'));

    expect(story.reply).toMatchObject({ kind: 'refused', code: 'stale' });
    expect(story.worker.incident.open?.escalated).toBe(true);
  });

  test('R1: given an answer that waits for a save, when another dialog comes first, then the question is open again', () => {
    const story = inError();
    story.savesAtOnce = false;
    story.hear({ kind: 'checkpoint-requested', id: 'c', why: 'by hand' }).hear(answers(story, 'Yes'));
    expect(story.worker).toMatchObject({ lifecycle: { status: 'error' }, incident: { open: { escalated: false } } });
    expect(story.worker.deadlines.check).toBeDefined();

    show(story, 'Overwrite everything?', 'another');

    expect(story.records).toContainEqual(
      expect.objectContaining({ kind: 'answer-applied', application: 'rejected_stale' }),
    );
    expect(story.worker).toMatchObject({
      lifecycle: { status: 'error' },
      dialog: { inHand: { label: null } },
      incident: { open: { escalated: true } },
    });
  });

  test('R1: given an answer on its way to a screen that cannot be read, when time passes, then a check comes', () => {
    const story = inError();
    story.savesAtOnce = false;
    story.hear({ kind: 'checkpoint-requested', id: 'c', why: 'by hand' }).hear(answers(story, 'Yes'));
    story.see({ kind: 'unknown', why: 'empty' });
    story.answer({ kind: 'checkpointed', commit: null, head: 'aaaa', dirty: 0 });

    expect(story.pass('check').last).toMatchObject({ kind: 'observe' });
  });
});

test('R7: given a dialog that was answered, when an older screen comes late, then it is not taken for the present one', () => {
  const story = working();
  story.policy = { ...story.policy, dialogs: { ...story.policy.dialogs, permission: 'allow' } };
  story.see(ASKS);

  story.answer({ kind: 'answered', label: 'Yes' });
  story.hear({
    kind: 'screen-seen',
    incarnation: story.incarnation,
    reading: { at: 1, state: ASKS, fingerprint: 'permission', progress: 'x', rule: 'test' },
  });

  expect(story.rules).toContain('stale:time');
});

test('given a person who answered the dialog of a worker in error, when something else fails first, then it is not left without a question', () => {
  const story = working().see(BUSY).see(QUESTION);
  const asked = story.worker.incident.open?.id;
  story.change({ lifecycle: { status: 'error' } });
  answer(story.hear({ kind: 'down-requested' }), 'Yes');

  story.answer({ kind: 'failed', code: 'disk-full', message: 'no space left on device', retry: true });

  expect(story.worker.incident.open).toMatchObject({ id: asked });
});

/** Shows a trust dialog that the profile has no answer for. */
function inError(): Story {
  const story = idle();
  show(story, TRUST, 'the first option');
  return story.answer({ kind: 'failed', code: 'no-answer', message: 'the profile has none', retry: false });
}

function show(story: Story, title: string, fingerprint: string): void {
  story.now += 10;
  const options = ['Yes', 'No'].map((label) => ({ label, highlighted: label === 'Yes' }));
  const state: AgentState = { kind: 'dialog', dialog: { kind: 'trust', title, body: '', options } };
  const reading = { at: story.now, state, fingerprint, progress: '', rule: 'test' };
  story.hear({ kind: 'screen-seen', incarnation: story.incarnation, reading });
}

function answers(story: Story, option: string): WorkerEvent {
  const incident = story.worker.incident.open?.id ?? 'none';
  return { kind: 'escalation-answered', incident, option, text: null, by: 'ada' };
}

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
  const incident = story.worker.incident.open?.id ?? 'none';
  return story.hear({ kind: 'escalation-answered', incident, option, text: null, by: 'ada' });
}

function answer(story: Story, option: string): Story {
  const incident = story.worker.incident.open?.id ?? '';
  return story.hear({ kind: 'escalation-answered', incident, option, text: null, by: 'somebody' });
}
