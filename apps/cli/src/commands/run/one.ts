/** Defines commands about one run: each names it, calls the coordinator and shows the run. */
import type { RunView } from '@drover/api';
import type { Client } from '../../client/calls.ts';
import { ask } from '../../client/client.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import type { DefinedCommand, Help } from '../../program/define.ts';
import { required } from '../../program/spec.ts';
import { runText } from './text.ts';

export const RUN_ID = { run: required('its id, or the part of it that is shown') } as const;

/** Declares such a command. */
export function defineRunCommand(
  help: Help,
  call: (client: Client, input: { readonly id: string; readonly requestId: string }) => Promise<RunView>,
): DefinedCommand {
  return defineCommand({
    ...help,
    args: RUN_ID,
    async run(surroundings, { args: { run: id } }) {
      const input = { id, requestId: surroundings.uuid() };
      answer(surroundings, await ask(surroundings, (client) => call(client, input)), runText);
    },
  });
}
