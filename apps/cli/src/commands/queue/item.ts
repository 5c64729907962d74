/** Defines commands about one item of the queue: each names it, calls the coordinator and shows the item. */
import type { QueueItemView } from '@drover/api';
import type { Client } from '../../client/calls.ts';
import { ask } from '../../client/client.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import type { DefinedCommand, Help } from '../../program/define.ts';
import { required } from '../../program/spec.ts';
import { queueItemText } from './text.ts';

/** Declares such a command. */
export function defineItemCommand(
  help: Help,
  call: (client: Client, input: { id: string }) => Promise<QueueItemView>,
): DefinedCommand {
  return defineCommand({
    ...help,
    args: { id: required('its id, or the last characters of it') },
    async run(surroundings, { args }) {
      answer(surroundings, await ask(surroundings, (client) => call(client, args)), queueItemText);
    },
  });
}
