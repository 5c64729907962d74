import { expect, test } from 'vitest';
import { dialogKey, type Dialog, type DialogStep } from './dialog.ts';
import { apiKeyDialog, bypassDialog, permissionDialog, questionDialog, trustDialog } from './known.ts';
import type { Key, KeyName } from '../keyboard/keys.ts';

const named = (name: KeyName): Key => ({ kind: 'named', name });
const text = (value: string): Key => ({ kind: 'text', text: value });

function press(dialog: Dialog, ...keys: readonly Key[]): DialogStep {
  let step: DialogStep = { kind: 'open', dialog };
  for (const key of keys) if (step.kind === 'open') step = dialogKey(step.dialog, key);
  return step;
}

test('given a permission dialog, when "No" is chosen by digit or by arrows, then the answer is the same', () => {
  const dialog = permissionDialog('Bash', 'rm -rf build');

  expect(press(dialog, text('3'))).toMatchObject({ kind: 'chosen', label: 'No' });
  expect(press(dialog, named('down'), named('down'), named('enter'))).toMatchObject({ kind: 'chosen', label: 'No' });
});

test('given a git command, when its permission is asked, then a rule can be remembered and "No" is option 4', () => {
  expect(permissionDialog('Bash', 'git commit -m x').options.map((option) => option.label)).toEqual([
    'Yes',
    'Yes, and don’t ask again for: git commit *',
    'Yes, and switch to auto mode',
    'No',
  ]);
});

test('given a text that begins with a digit or a paste, when it reaches a dialog, then it is no answer', () => {
  const dialog = permissionDialog('Bash', 'ls');

  expect(press(dialog, text('1 is my favourite'), { kind: 'paste', text: '1' })).toEqual({ kind: 'open', dialog });
});

test.each([
  ['trust', trustDialog('/repo'), 'No, exit'],
  ['bypass', bypassDialog(), 'No, exit'],
  ['API key', apiKeyDialog(), 'No'],
])('given the %s dialog, when only Enter is pressed, then the answer is the safe one', (_, dialog, expected) => {
  expect(press(dialog, named('enter'))).toMatchObject({ kind: 'chosen', label: expected });
});

test('given a question, when an own answer is typed, then digits are part of it', () => {
  const dialog = questionDialog('Which port?', ['80', '443']);

  const step = press(dialog, text('3'), text('8'), text('0'), text('80'), named('backspace'), named('enter'));

  expect(step).toMatchObject({ kind: 'chosen', label: 'Type something.', typed: '808' });
});

test('given any dialog, when Escape is pressed, then it is cancelled', () => {
  expect(press(bypassDialog(), named('escape'))).toEqual({ kind: 'cancelled' });
});
