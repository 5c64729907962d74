/** A dialog that a person was asked about says other words: X4, an answer counts only for what its person saw. */
import { describe, expect, test } from 'vitest';
import type { AgentState } from '../../agent-state.ts';
import { working } from '../../testing/story.ts';
import type { Story } from '../../testing/story.ts';
import type { WorkerEvent } from '../../worker/event.ts';

test('R4: given an answer that missed its screen, when Drover looks at once and another dialog is there, then a person is asked about that one', () => {
  const story = working().see(choosing('Delete the directory build?'));
  story.hear(answers(story, 'Yes')).answer({ kind: 'stale', why: 'the dialog changed' });
  expect(story.last).toMatchObject({ kind: 'observe' });

  story.checked(choosing('Delete the directory src?'));

  expect(story.records.find(({ kind }) => kind === 'escalated')).toMatchObject({
    question: { body: 'Delete the directory src?' },
  });
  expect(story.worker).toMatchObject({
    lifecycle: { status: 'needs_input' },
    incident: { open: { escalated: true } },
  });
});

test.each([
  [
    'a command that its screen shows cut',
    'rm -rf build\nrm -rf src',
    'rm -rf bu…',
    'rm -rf build\nrm -rf src\n\nrm -rf bu…',
  ],
  ['a command that its screen shows whole', 'ls', 'Run ls here', 'Run ls here'],
  ['a plan or an edit without a command', '', 'Step 1\nStep 2', 'Step 1\nStep 2'],
])(
  'given a permission for %s, when a person is asked, then the question holds it whole, once',
  (_, command, body, expected) => {
    const story = working().see(permission(command, body));

    expect(story.records.find(({ kind }) => kind === 'escalated')).toMatchObject({ question: { body: expected } });
  },
);

test('given a permission for a command that is longer than a question holds, when a person is asked, then the question says how much is missing', () => {
  const story = working().see(permission('x'.repeat(8_500), 'body'));

  const asked = story.records.find((entry) => entry.kind === 'escalated');
  expect(asked?.kind === 'escalated' && asked.question.body).toMatch(/^x{8000}\n… 500 more characters\n\nbody$/u);
});

describe('X4: a dialog whose words change under the same title, with the same options', () => {
  test('given a person who was asked, when the words change, then it is asked anew, once, with the words of now', () => {
    const story = working().see(choosing('Delete the directory build?'));
    const incident = story.worker.incident.open?.id;

    story.see(choosing('Delete the directory src?'));

    expect(story.records).toContainEqual(
      expect.objectContaining({
        kind: 'escalated',
        incident,
        question: expect.objectContaining({ body: 'Delete the directory src?' }),
      }),
    );
    expect(story.rules).toContain('asks-anew');
    story.see(choosing('Delete the directory src?'));
    expect(story.records).toEqual([]);
    story.hear(answers(story, 'Yes'));
    expect(story.last).toMatchObject({ kind: 'answer', choice: { label: 'Yes' } });
  });

  test('given an answer that waits for a save, when the words change first, then it is not given, and the question is open again', () => {
    const story = working().see(choosing('Delete the directory build?'));
    story.savesAtOnce = false;
    story.hear({ kind: 'checkpoint-requested', id: 'c', why: 'by hand' }).hear(answers(story, 'Yes'));

    story.see(choosing('Delete the directory src?'));

    expect(story.records.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['answer-applied', 'escalated']));
    expect(story.worker).toMatchObject({
      dialog: { inHand: { label: null } },
      incident: { open: { escalated: true } },
    });
  });
});

function permission(command: string, body: string): AgentState {
  const options = [{ label: 'Yes', highlighted: true }];
  return { kind: 'permission', tool: 'Bash', command, dialog: { kind: 'permission', title: 'Bash', body, options } };
}

function choosing(body: string): AgentState {
  const options = ['Yes', 'No'].map((label) => ({ label, highlighted: label === 'Yes' }));
  return {
    kind: 'question',
    form: 'yes-no',
    dialog: { kind: 'question', title: 'Go on?', body, options },
  };
}

function answers(story: Story, option: string): WorkerEvent {
  const incident = story.worker.incident.open?.id ?? 'none';
  return { kind: 'escalation-answered', incident, option, text: null, by: 'ada' };
}
