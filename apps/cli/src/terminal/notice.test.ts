/** Tests the choice of the program that shows a notice, and that an agent's text is only data to that program. */
import { expect, test } from 'vitest';
import { noticeCommand } from './notice.ts';

const HOSTILE = { title: 'adam needs you', text: '" & do shell script "x" <a href="x">press</a> --urgency=low' };

test('given a desktop of Linux, when a notice is shown, then markup in it is text and no word is an option', () => {
  const command = noticeCommand(HOSTILE, { platform: 'linux', variables: { DISPLAY: ':0' } });

  expect(command).toEqual([
    'notify-send',
    '--app-name=Drover',
    '--',
    'adam needs you',
    '" &amp; do shell script "x" &lt;a href="x"&gt;press&lt;/a&gt; --urgency=low',
  ]);
});

test('given macOS, when a notice is shown, then its words are arguments and never part of the script', () => {
  const command = noticeCommand(HOSTILE, { platform: 'darwin', variables: {} });

  expect(command?.slice(-2)).toEqual([HOSTILE.title, HOSTILE.text]);
  expect(command?.slice(0, -2).join(' ')).not.toContain('shell script');
});

test('given no desktop, when there is something to say, then no program is started', () => {
  expect(noticeCommand(HOSTILE, { platform: 'linux', variables: {} })).toBeNull();
});
