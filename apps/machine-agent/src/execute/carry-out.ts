/** Which function carries out which command? */
import type { Command, CommandResult } from '@drover/core';
import { deliver } from '../deliver/deliver.ts';
import { answer } from './commands/answer.ts';
import { checkpoint } from './commands/checkpoint.ts';
import { close } from './commands/close.ts';
import { fastForward, recycle, remove, squash, validateWork } from './commands/accept.ts';
import { checkWorker } from './commands/check-worker.ts';
import { open, respawn } from './commands/open.ts';
import { prepare } from './commands/prepare.ts';
import { rebase } from './commands/rebase.ts';
import { restore } from './commands/restore.ts';
import type { CommandContext } from './tools.ts';

/** @throws whatever stood in the way; the executor turns it into `failed`. */
export function carryOut(context: CommandContext, command: Command): Promise<CommandResult> {
  switch (command.kind) {
    case 'prepare':
      return prepare(context, command);
    case 'open':
      return open(context, command);
    case 'respawn':
      return respawn(context, command);
    case 'close':
      return close(context);
    case 'deliver':
      return deliver(context, command);
    case 'look':
      return checkWorker(context, command);
    case 'answer':
      return answer(context, command);
    case 'rebase':
      return rebase(context, command);
    case 'validate':
      return validateWork(context, command);
    case 'squash':
      return squash(context, command);
    case 'fast-forward':
      return fastForward(context, command);
    case 'recycle':
      return recycle(context, command);
    case 'remove':
      return remove(context, command);
    case 'checkpoint':
      return checkpoint(context, command);
    case 'restore':
      return restore(context, command);
    default:
      return command satisfies never;
  }
}
