/** Checks that a screen that does not fit its facts is refused. */
import { expect, test } from 'vitest';

import { capturePane, withoutAttributes } from './capture.ts';
import { FactsFormat } from './facts.ts';
import type { CommandRunner, Reply } from '../commands/runner.ts';
import { abilitiesOf } from '../server/versions.ts';

const PANE = { serverPid: 1, serverStart: 2, paneId: '%3', panePid: 4 };
const FACTS = 'pane|%3|5|1|2|9|4|0||||10|3|0|0|1|0|0|0|1|0|wcat';

function reply(body: string, ok = true): Reply {
  return { ok, body: Buffer.from(body) };
}

function answering(...answers: readonly (readonly Reply[])[]): CommandRunner & { asked: number } {
  return {
    via: 'control',
    asked: 0,
    exec() {
      const replies = answers[Math.min(this.asked, answers.length - 1)] ?? [];
      this.asked += 1;
      return Promise.resolve(replies);
    },
  };
}

function tools(runner: CommandRunner, version = '3.6') {
  const facts = new FactsFormat([]);
  return { runner, abilities: abilitiesOf(version), facts, buffer: 'b' };
}

test('given a reply cut short by a painted end, when it is captured again, then the whole screen is read', async () => {
  const runner = answering(
    [reply(FACTS), reply('a\n')],
    [reply(FACTS), reply('a\nb\nc'), reply('a block too many')],
    [reply(FACTS), reply('a\nb\nc')],
  );

  const outcome = await capturePane(tools(runner), PANE);

  expect(outcome).toMatchObject({ kind: 'captured', capture: { text: 'a\nb\nc', ansi: undefined } });
  expect(runner.asked).toBe(3);
});

test('given replies that never fit, when a pane is captured, then it fails as torn', async () => {
  const runner = answering([reply(FACTS), reply('a\nb\nc\nd')]);

  await expect(capturePane(tools(runner), PANE)).rejects.toMatchObject({ code: 'torn-capture' });
  expect(runner.asked).toBe(3);
});

test('given another life in the pane, when it is captured, then it is gone', async () => {
  const runner = answering([reply(FACTS), reply('a\nb\nc')]);

  expect(await capturePane(tools(runner), { ...PANE, panePid: 5 })).toEqual({ kind: 'pane-gone' });
});

test('given a pane that tmux does not know, when it is captured, then it is gone', async () => {
  const runner = answering([reply('pane||0|1|2||||||||||||||0|0|'), reply("can't find pane: %3", false)]);

  expect(await capturePane(tools(runner), PANE)).toEqual({ kind: 'pane-gone' });
});

test.each([
  ['an error that has nothing to do with the pane', [reply('fork failed', false)]],
  ['no answer', []],
  ['the answer to another question', [reply('1700000000'), reply(FACTS), reply('a\nb\nc')]],
])('given %s, when a pane is captured, then it is not called gone', async (_, replies) => {
  await expect(capturePane(tools(answering(replies)), PANE)).rejects.toMatchObject({ code: 'torn-capture' });
});

test('given escapes of an old show-buffer, when it is read, then text and colours are as the program wrote them', async () => {
  const runner = answering([reply(FACTS), reply(''), reply('\\033[31mé\\\\033 \\$HOME\n\\\\n\\t\n\n'), reply('')]);

  const outcome = await capturePane(tools(runner, '3.3a'), PANE, { colours: true });

  expect(outcome).toMatchObject({
    capture: { ansi: '\u001b[31mé\\033 $HOME\n\\n\t\n', text: 'é\\033 $HOME\n\\n\t\n' },
  });
});

test('given attributes, links and shifts, when they are removed, then the text is left', () => {
  const ansi = '\u001b[1;38:5:4mA\u001b[0m\u001b]8;id=1;http://x\u001b\\B\u001b]8;;\u0007\u000eC\u000f';

  expect(withoutAttributes(ansi)).toBe('ABC');
});
