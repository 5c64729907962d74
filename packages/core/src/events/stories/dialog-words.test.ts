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
