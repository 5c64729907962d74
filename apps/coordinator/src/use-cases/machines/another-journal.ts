/** Concludes the commands that a machine was sent before it came back with another journal. */
import { InvariantError } from '@drover/core';
import type { CommandResult } from '@drover/core';
import type { Machine, SentCommand } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { handleEvent } from '../../loop/handle-events.ts';
import { POLICY } from '../../facts/people/causes.ts';

const UNKNOWN: CommandResult = {
  kind: 'unknown',
  why: 'the machine reconnected with another journal, so the outcome is not known',
};

/**
 * Concludes each command of a worker that was sent and has not ended: its end is unknown, so the policy looks first. A command sent again
 * might run twice, such as a text that the previous gateway had typed and not reported. If this function ends in the middle, the other
 * commands are given up as overdue.
 *
 * @param machine Row after its hello: its former session reports nothing any more.
 */
export async function concludeSentCommands(ctx: Context, machine: Machine): Promise<void> {
  for (const sent of await ctx.store.listSentCommands(machine.id)) {
    try {
      await conclude(ctx, machine, sent);
    } catch (error) {
      if (!(error instanceof InvariantError)) throw error;
      ctx.log('error', `The policy failed on a command whose outcome is unknown: ${error.message}`, { ...sent });
      await ctx.store.transaction((tx) => tx.finishCommands([finished(machine, sent)], ctx.clock.now()));
    }
  }
}

async function conclude(ctx: Context, machine: Machine, sent: SentCommand): Promise<void> {
  const { workerId, seq } = sent;
  const handled = await ctx.store.transaction(async (tx) => {
    await tx.finishCommands([finished(machine, sent)], ctx.clock.now());
    return handleEvent(ctx, tx, { workerId, event: { kind: 'command-finished', seq, result: UNKNOWN }, by: POLICY });
  });
  handled?.hint();
}

function finished({ id: machineId }: Machine, { id, workerId, seq }: SentCommand) {
  return { id, machineId, command: { workerId, seq }, result: UNKNOWN };
}
