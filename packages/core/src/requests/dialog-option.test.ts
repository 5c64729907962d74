/** Options of a dialog that a person's words name. */
import { describe, expect, test } from 'vitest';
import type { AgentState, DialogOption } from '../agent-state.ts';
import { BUSY, working } from '../testing/story.ts';
import type { Story } from '../testing/story.ts';
import { optionSaid, tellOptions } from './dialog-option.ts';

const LABELS = ['Yes', "Yes, and don't ask again for npm", 'No, and tell it what to do', '3 retries'];

describe('words for an agent that shows a dialog', () => {
  test.each([
    ['Yes', 'Yes'],
    [' yes ', 'Yes'],
    ["YES,  and don't ask again for npm", "Yes, and don't ask again for npm"],
    ['no', 'No, and tell it what to do'],
    ['1', 'Yes'],
    ['2.', "Yes, and don't ask again for npm"],
    ['4)', '3 retries'],
  ])('given the words "%s", when they are read, then they name the option "%s"', (words, option) => {
    const story = asking(LABELS);

    expect(optionSaid(story.worker, words)).toEqual({ incident: story.worker.incident.open?.id, option });
  });

  test.each(['y', 'N', 'Yes,', '0', '5', '-1', '1e0', '', 'No, use pnpm', 'Ja', 'skip', 'take-over'])(
    'given the words "%s", which name no option or may name several, when they are read, then they are no answer',
    (words) => {
      expect(optionSaid(asking(LABELS).worker, words)).toBeNull();
    },
  );

  test('given "yes" where the only such option grants more than this one time, when it is read, then it is no answer', () => {
    expect(optionSaid(asking(['Yes, allow all edits during this session', 'No']).worker, 'yes')).toBeNull();
  });

  test('given a number that is the label of another option, when it is read, then it is no answer', () => {
    expect(optionSaid(asking(['2', '1']).worker, '1')).toBeNull();
  });

  test('given options of the same words, when one is named by its number, then it is no answer, because the machine would press the first', () => {
    expect(optionSaid(asking(['Yes', 'YES', 'No']).worker, '2')).toBeNull();
  });

  test('given a list that is scrolled, when a number is read, then it is the number that stands on the screen', () => {
    const { worker } = showing([
      { label: 'Blue', highlighted: true, number: 4 },
      { label: 'Green', highlighted: false, number: 5 },
    ]);

    expect(optionSaid(worker, '5')).toMatchObject({ option: 'Green' });
    expect(optionSaid(worker, '1')).toBeNull();
    expect(tellOptions(worker)).toContain('4 "Blue", 5 "Green"');
  });

  test('given a question about something else, when the words name an option of the dialog, then they are no answer', () => {
    const story = asking(LABELS);
    const open = story.worker.incident.open;
    if (open === null) throw new Error('no question is open');
    story.change({ incident: { open: { ...open, options: [] } } });

    expect(optionSaid(story.worker, 'Yes')).toBeNull();
  });

  test('given a dialog that says other words now, when its former option is named, then it is no answer, and the refusal has the present options', () => {
    const story = asking(['Red', 'Blue']);
    story.see(dialogOf(['Green', 'Black'].map((label) => ({ label, highlighted: false }))));

    story.hear({ kind: 'message-requested', id: 'm', text: 'Red' });

    expect(optionSaid(story.worker, 'Red')).toBeNull();
    expect(story.reply).toEqual({
      kind: 'refused',
      code: 'dialog',
      message:
        'The worker shows a dialog, "Which way?", and a message answers it only with the number or the label of an option: 1 "Green", 2 "Black"',
    });
  });

  test('given an answer that is on its way, when more words come, then the refusal says which it is', () => {
    const story = asking(LABELS);
    const incident = story.worker.incident.open?.id ?? '';
    story.hear({ kind: 'escalation-answered', incident, option: 'Yes', text: null, by: 'ann' });

    expect(optionSaid(story.worker, 'no')).toBeNull();
    expect(tellOptions(story.worker)).toBe('Drover is already answering its dialog with "Yes"');
  });

  test('given no dialog on the screen, when words come, then there is nothing to tell of', () => {
    const story = asking(LABELS).see(BUSY);

    expect(optionSaid(story.worker, 'Yes')).toBeNull();
    expect(tellOptions(story.worker)).toBeNull();
  });
});

function asking(labels: readonly string[]): Story {
  return showing(labels.map((label, index) => ({ label, highlighted: index === 0 })));
}

function showing(options: readonly DialogOption[]): Story {
  return working().see(dialogOf(options));
}

function dialogOf(options: readonly DialogOption[]): AgentState {
  const dialog = { kind: 'question', title: 'Which way?', body: '', options } as const;
  return { kind: 'question', form: 'multiple-choice', dialog };
}
