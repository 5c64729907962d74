/** Lists the commands that the machine agent knows. Each says in its own file who carries it out and what it needs. */
import type { Command, CommandKind, CommandResult } from '@drover/core';
import { DELIVER } from '../deliver/deliver.ts';
import { CommandError } from '../failure.ts';
import { ANSWER } from './commands/answer.ts';
import { CANDIDATE } from './commands/candidate.ts';
import { CHECK } from './commands/check-worker.ts';
import { CHECKPOINT } from './commands/checkpoint.ts';
import { CLOSE } from './commands/close.ts';
import { EXTEND } from './commands/extend.ts';
import { FREEZE } from './commands/freeze.ts';
import { OPEN } from './commands/open.ts';
import { PREPARE } from './commands/prepare.ts';
import { PUBLISH } from './commands/publish.ts';
import { REBASE } from './commands/rebase.ts';
import { REMOVE } from './commands/remove.ts';
import { RESOLUTION } from './commands/resolution.ts';
import { RESTORE } from './commands/restore.ts';
import { INTERRUPT } from './commands/turn/interrupt.ts';
import { SET_UP } from './set-up/set-up.ts';
import { VALIDATE } from './commands/validate.ts';
import type { Known } from './known.ts';
import type { CommandContext } from './tools.ts';

/** Every command to machines; it does not compile while one is missing. */
export const COMMANDS: { readonly [K in CommandKind]: Known<K> } = {
  ...ANSWER,
  ...CANDIDATE,
  ...CHECK,
  ...CHECKPOINT,
  ...CLOSE,
  ...EXTEND,
  ...FREEZE,
  ...INTERRUPT,
  ...OPEN,
  ...PREPARE,
  ...PUBLISH,
  ...REBASE,
  ...REMOVE,
  ...RESOLUTION,
  ...RESTORE,
  ...SET_UP,
  ...VALIDATE,
  ...DELIVER,
};

/** Commands that may run in a place that is frozen for a move: none that starts an agent, reaches one or loses something. */
const WHILE_FROZEN: ReadonlySet<CommandKind> = new Set([
  'close',
  'observe',
  'checkpoint',
  'restore',
  'freeze',
  'let-in',
]);

/** @throws every error on the way; the executor turns it into `failed`. */
export async function carryOut<K extends CommandKind>(
  context: CommandContext,
  command: Command<K>,
): Promise<CommandResult> {
  const known: Known<K> = COMMANDS[command.kind];
  const { frozenPlaces, settings } = context;
  await refuseWhileFrozen({ frozenPlaces, settings }, command);
  return known.carryOut(context, command);
}

/** @throws CommandError `place-frozen`. */
export async function refuseWhileFrozen(
  { frozenPlaces, settings: { workerId, name } }: Pick<CommandContext, 'frozenPlaces' | 'settings'>,
  { kind }: { readonly kind: CommandKind },
): Promise<void> {
  if (WHILE_FROZEN.has(kind) || (await frozenPlaces.frozenFor(workerId)) === undefined) return;
  const message = `"${name}" is moving to or from this machine, or has moved away: nothing may start for it here`;
  throw new CommandError('place-frozen', message);
}
