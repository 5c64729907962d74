/** Checks that a list in which a pane could be missing is read again. */
import { expect, test } from 'vitest';

import { FactsFormat } from './facts.ts';
import { listPanes, type ListTools } from './list.ts';
import type { CommandRunner, Reply } from '../commands/runner.ts';

const ONE = 'pane|%1|5|1|2|9|4|0||||10|3|0|0|1|0|0|0|1|0|wcat';
const OTHER = 'pane|%2|5|1|2|9|5|0||||10|3|0|0|1|0|0|0|1|0|vcat';

function reply(body: string): Reply {
  return { ok: true, body: Buffer.from(body) };
}

function answering(...lists: readonly (readonly Reply[])[]): CommandRunner & { asked: number } {
  return {
    via: 'control',
    asked: 0,
    exec() {
      const replies = lists[Math.min(this.asked, lists.length - 1)] ?? [];
      this.asked += 1;
      return Promise.resolve(replies);
    },
  };
}

/** Records the times that the machine reports, by a clock that counts its questions. */
function listing(runner: CommandRunner): { tools: ListTools; told: unknown[] } {
  const told: unknown[] = [];
  let now = 0;
  const clock = { now: () => (now += 1) };
  return {
    tools: { runner, facts: new FactsFormat([]), clock, host: { noteTime: (reading) => void told.push(reading) } },
    told,
  };
}

test.each([
  ['a line that tmux left empty', [reply('1700'), reply(`${ONE}\n\n${OTHER}`)]],
  ['a last line that tmux left empty', [reply('1700'), reply(`${ONE}\n`)]],
  ['a server without any pane', [reply('1700'), reply('')]],
  ['the answer to another question before it', [reply('stray'), reply('1700'), reply(`${ONE}\n${OTHER}`)]],
  ['no second', [reply(''), reply(`${ONE}\n${OTHER}`)]],
  ['a second that is negative', [reply('-1700'), reply(`${ONE}\n${OTHER}`)]],
  ['a second beyond all dates', [reply('9'.repeat(300)), reply(`${ONE}\n${OTHER}`)]],
])('given %s, when panes are listed, then they are listed again', async (_, torn) => {
  const runner = answering(torn, [reply('1700'), reply(`${ONE}\n${OTHER}`)]);

  const { tools, told } = listing(runner);
  const { second, panes } = await listPanes(tools);

  expect(second).toBe(1700);
  expect(told).toEqual([{ second: 1700, before: 2, after: 3 }]);
  expect(panes.map(({ incarnation }) => incarnation.paneId)).toEqual(['%1', '%2']);
  expect(runner.asked).toBe(2);
});

test('given lists that cannot be read, when panes are listed, then it fails, and no pane counts as gone', async () => {
  const runner = answering([reply('1700'), reply(`${ONE}\npane|%2|5`)]);

  const { tools, told } = listing(runner);

  await expect(listPanes(tools)).rejects.toMatchObject({ code: 'refused' });
  expect(runner.asked).toBe(3);
  expect(told).toEqual([]);
});
