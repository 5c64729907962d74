/** What the machine agent must know of each command: who carries it out, what that takes, and what it asks of the machine's owner. */
import type { Command, CommandKind, CommandResult } from '@drover/core';
import { deliver } from '../deliver/deliver.ts';
import { answer } from './commands/answer.ts';
import { checkpoint } from './commands/checkpoint.ts';
import { close } from './commands/close.ts';
import { freeze, letIn } from './commands/freeze.ts';
import { candidate } from './commands/candidate.ts';
import { checkWorker } from './commands/check-worker.ts';
import { extend } from './commands/extend.ts';
import { open, respawn } from './commands/open.ts';
import { prepare } from './commands/prepare.ts';
import { prove, publish, recycle } from './commands/publish.ts';
import { rebase } from './commands/rebase.ts';
import { remove } from './commands/remove.ts';
import { resolution } from './commands/resolution.ts';
import { restore } from './commands/restore.ts';
import { validateWork } from './commands/validate.ts';
import { CommandError } from '../failure.ts';
import type { CommandContext } from './tools.ts';

/** One command to this machine. */
interface Known<K extends CommandKind> {
  /** @throws whatever stood in the way; the executor turns it into `failed`. */
  readonly carryOut: (context: CommandContext, command: Command<K>) => Promise<CommandResult>;
  /** It keeps a disk or a processor busy: only some are carried out at one time, and the others never wait for them. */
  readonly isHeavy: boolean;
  /** It acts on a pane: meanwhile the observer says nothing of that pane. */
  readonly holdsPane: boolean;
  /**
   * What the machine's owner may forbid: commands that read or write the source or run what it holds, those that also start a
   * program, and those that run its checks. Commands that clear away and look stay possible.
   */
  readonly needs: 'nothing' | 'source' | 'source-and-program' | 'source-and-checks';
}

const QUICK = { isHeavy: false, holdsPane: false, needs: 'nothing' } as const;
const HEAVY = { ...QUICK, isHeavy: true } as const;
const ON_PANE = { ...QUICK, holdsPane: true } as const;

/** Every command to machines. */
export const COMMANDS: { readonly [K in CommandKind]: Known<K> } = {
  prepare: { ...HEAVY, needs: 'source', carryOut: prepare },
  open: { ...ON_PANE, needs: 'source-and-program', carryOut: open },
  respawn: { ...ON_PANE, needs: 'source-and-program', carryOut: respawn },
  close: { ...ON_PANE, carryOut: close },
  deliver: { ...ON_PANE, carryOut: deliver },
  look: { ...QUICK, carryOut: checkWorker },
  answer: { ...ON_PANE, carryOut: answer },
  checkpoint: { ...HEAVY, carryOut: checkpoint },
  restore: { ...HEAVY, carryOut: restore },
  rebase: { ...HEAVY, needs: 'source', carryOut: rebase },
  resolution: { ...HEAVY, carryOut: resolution },
  validate: { ...HEAVY, needs: 'source-and-checks', carryOut: validateWork },
  candidate: { ...HEAVY, needs: 'source', carryOut: candidate },
  extend: { ...HEAVY, needs: 'source', carryOut: extend },
  publish: { ...QUICK, needs: 'source', carryOut: publish },
  prove: { ...QUICK, needs: 'source', carryOut: prove },
  recycle: { ...HEAVY, needs: 'source', carryOut: recycle },
  freeze: { ...HEAVY, holdsPane: true, carryOut: freeze },
  'let-in': { ...QUICK, carryOut: letIn },
  remove: { ...HEAVY, carryOut: remove },
};

/** What may be done in a place that is frozen for a move: nothing by which an agent starts, hears or loses something. */
const WHILE_FROZEN: ReadonlySet<CommandKind> = new Set(['close', 'look', 'checkpoint', 'restore', 'freeze', 'let-in']);

/** @throws whatever stood in the way; the executor turns it into `failed`. */
export function carryOut<K extends CommandKind>(context: CommandContext, command: Command<K>): Promise<CommandResult> {
  const known: Known<K> = COMMANDS[command.kind];
  const { knownWorkers, seat } = context;
  refuseWhileFrozen({ knownWorkers, seat }, command);
  return known.carryOut(context, command);
}

/** @throws CommandError `place-frozen`. */
export function refuseWhileFrozen(
  { knownWorkers, seat: { workerId, name } }: Pick<CommandContext, 'knownWorkers' | 'seat'>,
  { kind }: { readonly kind: CommandKind },
): void {
  if (WHILE_FROZEN.has(kind) || knownWorkers.frozenFor(workerId) === undefined) return;
  const message = `"${name}" moves to or from this machine, or has moved away: nothing begins in its place here`;
  throw new CommandError('place-frozen', message);
}
