/** Which function carries out which order? */
import type { Op, OpResult } from '@drover/core';
import { deliver } from '../deliver/deliver.ts';
import { answer } from './commands/answer.ts';
import { checkpoint } from './commands/checkpoint.ts';
import { close } from './commands/close.ts';
import { fastForward, recycle, remove, squash, validateWork } from './commands/accept.ts';
import { look } from './commands/check-worker.ts';
import { open, respawn } from './commands/open.ts';
import { prepare } from './commands/prepare.ts';
import { rebase } from './commands/rebase.ts';
import { restore } from './commands/restore.ts';
import type { OrderContext } from './tools.ts';

/** @throws whatever stood in the way; the executor turns it into `failed`. */
export function carryOut(context: OrderContext, op: Op): Promise<OpResult> {
  switch (op.kind) {
    case 'prepare':
      return prepare(context, op);
    case 'open':
      return open(context, op);
    case 'respawn':
      return respawn(context, op);
    case 'close':
      return close(context);
    case 'deliver':
      return deliver(context, op);
    case 'look':
      return look(context, op);
    case 'answer':
      return answer(context, op);
    case 'rebase':
      return rebase(context, op);
    case 'validate':
      return validateWork(context, op);
    case 'squash':
      return squash(context, op);
    case 'fast-forward':
      return fastForward(context, op);
    case 'recycle':
      return recycle(context, op);
    case 'remove':
      return remove(context, op);
    case 'checkpoint':
      return checkpoint(context, op);
    case 'restore':
      return restore(context, op);
    default:
      return op satisfies never;
  }
}
