/** Dialogs that ask for trust: decided once for all workers of a project. */
import { describe, expect, test } from 'vitest';
import type { AgentState, TrustAsked } from '../../agent-state.ts';
import { idle, READY, Story, working } from '../../testing/story.ts';

const [YES, NO] = ['Yes, allow external imports', 'No, disable external imports'];

const IMPORTS = asking({ kind: 'imports', accept: YES, refuse: NO });
const SERVERS = asking({ kind: 'mcp', accept: 'Use all', refuse: 'Use none' }, 'Use this one');
const KEY = asking({ kind: 'api-key', accept: 'Yes', refuse: 'No' });
const FOLDER = asking({ kind: 'folder', accept: 'Yes, I trust it', refuse: null }, 'No, exit');

describe('a program that starts', () => {
  test('given no decision, when its dialog asks for trust, then a person is asked at once, for the whole project, and the program lives', () => {
    const story = starting().see(IMPORTS);

    expect(story.records).toContainEqual(
      expect.objectContaining({
        kind: 'escalated',
        code: 'AGENT_BLOCKED',
        question: expect.objectContaining({
          trust: 'imports',
          body: expect.stringContaining(`For all workers of the project, "${YES}" lets agents read instructions`),
          options: expect.arrayContaining([expect.objectContaining({ id: YES }), expect.objectContaining({ id: NO })]),
        }),
      }),
    );
    story.pass('start-up');
    expect(story.commands.map(({ kind }) => kind)).toEqual(['prepare', 'open']);
    expect(story.worker.session.startFailures).toBe(0);
  });

  test.each([
    [true, YES],
    [false, NO],
  ])(
    'given the decision %s, when its dialog asks, then "%s" is chosen by its words and no person is asked',
    (imports, label) => {
      const story = starting();
      story.trust = { imports };

      story.see(IMPORTS);

      expect(story.rules).toContain('trust:imports');
      expect(story.last).toMatchObject({ kind: 'answer', choice: { kind: 'label', label } });
      story.answer({ kind: 'answered', label }).see(READY);
      expect(story.worker).toMatchObject({ lifecycle: { status: 'idle' }, incident: { open: null } });
    },
  );

  test.each([
    ['a key in the environment', KEY, 'No'],
    ['the folder', FOLDER, 'Yes, I trust it'],
  ])('given no decision on %s, when its dialog asks, then "%s" is chosen without a person', (_, dialog, label) => {
    expect(starting().see(dialog).last).toMatchObject({ kind: 'answer', choice: { kind: 'label', label } });
  });

  test('given a key that is granted, when its dialog asks, then it is accepted', () => {
    const story = starting();
    story.trust = { 'api-key': true };

    expect(story.see(KEY).last).toMatchObject({ kind: 'answer', choice: { kind: 'label', label: 'Yes' } });
  });

  test('given a folder that is refused, when its dialog asks, then a person is asked, because its only other option ends the program', () => {
    const story = starting();
    story.trust = { folder: false };

    expect(story.see(FOLDER).worker.incident.open).toMatchObject({ code: 'AGENT_BLOCKED', escalated: true });
  });

  test('given a policy that allows dialogs of the program, when one asks for trust, then the policy does not answer it', () => {
    const story = starting();
    story.policy = { ...story.policy, dialogs: { ...story.policy.dialogs, other: 'allow' } };

    expect(story.see(IMPORTS).worker.incident.open).toMatchObject({ code: 'AGENT_BLOCKED', escalated: true });
  });

  test('given a granted trust whose answer does not close the dialog, when it was given as often as allowed, then a person is asked', () => {
    const story = starting();
    story.trust = { imports: true };

    for (let times = 0; times < story.policy.dialogs.answersMax; times += 1)
      story.see(IMPORTS).answer({ kind: 'stale', why: 'the dialog did not close' });
    story.see(IMPORTS);

    expect(story.worker.incident.open).toMatchObject({ code: 'AGENT_BLOCKED', escalated: true });
    // The decision that did not help answers nothing more.
    expect(story.hear({ kind: 'trust-decided' }).commands.filter(({ kind }) => kind === 'answer')).toHaveLength(
      story.policy.dialogs.answersMax,
    );
  });
});

describe('a person who answers', () => {
  test.each([
    [YES, true],
    [NO, false],
  ])('given the question, when "%s" is chosen, then the decision %s is kept for the project', (label, isTrusted) => {
    const story = answered(starting().see(IMPORTS), label);

    expect(story.records).toContainEqual({ kind: 'trust', about: 'imports', isTrusted });
    expect(story.last).toMatchObject({ kind: 'answer', choice: { kind: 'label', label } });
  });

  test('given an option for this once, when it is chosen, then nothing is kept', () => {
    const story = answered(starting().see(SERVERS), 'Use this one');

    expect(story.last).toMatchObject({ kind: 'answer', choice: { kind: 'label', label: 'Use this one' } });
    expect(story.records.filter(({ kind }) => kind === 'trust')).toEqual([]);
  });

  test('given an answer that nobody gave, when the machine reports one, then nothing is kept', () => {
    const story = starting();
    story.trust = { imports: false };
    story.see(IMPORTS).answer({ kind: 'answered', label: YES });

    expect(story.records.filter(({ kind }) => kind === 'trust')).toEqual([]);
  });

  test.each<[string, TrustAsked]>([
    ['another kind', { kind: 'mcp', accept: YES, refuse: NO }],
    ['yes what was no', { kind: 'imports', accept: NO, refuse: YES }],
  ])(
    'given a question, when the machine calls the same dialog %s before the answer, then nothing is kept',
    (_, trust) => {
      const story = starting().see(IMPORTS);
      const incident = story.worker.incident.open?.id ?? '';
      const options = IMPORTS.kind === 'dialog' ? IMPORTS.dialog.options : [];
      story.see({ kind: 'dialog', dialog: { kind: 'other', title: 'May it?', body: '', options, trust } });

      story.hear({ kind: 'escalation-answered', incident, option: NO, text: null, by: 'somebody' });

      expect(story.reply.kind).toBe('refused');
      expect(story.records.filter(({ kind }) => kind === 'trust')).toEqual([]);
    },
  );
});

describe('a worker that waits for the decision', () => {
  test.each([
    [true, YES],
    [false, NO],
  ])(
    'given its question, when the project decides %s, then its dialog is answered and the question closes',
    (imports, label) => {
      const story = starting().see(IMPORTS);
      story.trust = { imports };

      story.hear({ kind: 'trust-decided' });

      expect(story.last).toMatchObject({ kind: 'answer', choice: { kind: 'label', label } });
      story.answer({ kind: 'answered', label });
      expect(story.records).toContainEqual(expect.objectContaining({ kind: 'escalation-closed', how: 'resolved' }));
      story.see(READY);
      expect(story.worker).toMatchObject({ lifecycle: { status: 'idle' }, incident: { open: null } });
    },
  );

  test('given a decision on another kind, when it is told, then it waits on', () => {
    const story = starting().see(IMPORTS);
    story.trust = { mcp: true };

    story.hear({ kind: 'trust-decided' });

    expect(story.worker).toMatchObject({
      dialog: { inHand: { label: null } },
      incident: { open: { escalated: true } },
    });
  });
});

test.each([
  ['idle', idle],
  ['at work', working],
])(
  'given a worker that is %s, when its program asks for trust late, then a person is asked, and a decision answers it',
  (_, make) => {
    const story = make().see(IMPORTS);
    expect(story.worker.incident.open).toMatchObject({ code: 'AGENT_BLOCKED', escalated: true });
    story.trust = { imports: true };

    story.hear({ kind: 'trust-decided' });

    expect(story.last).toMatchObject({ kind: 'answer', choice: { kind: 'label', label: YES } });
  },
);

function starting(): Story {
  const story = new Story().hear({ kind: 'up-requested' });
  return story.answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null }).opened();
}

function answered(story: Story, option: string): Story {
  const incident = story.worker.incident.open?.id ?? '';
  return story.hear({ kind: 'escalation-answered', incident, option, text: null, by: 'somebody' });
}

function asking(trust: TrustAsked, ...others: readonly string[]): AgentState {
  const labels = [trust.refuse, trust.accept, ...others].filter((label) => label !== null);
  const options = labels.map((label, index) => ({ label, highlighted: index === 0 }));
  return { kind: 'dialog', dialog: { kind: 'other', title: 'May it?', body: '', options, trust } };
}
