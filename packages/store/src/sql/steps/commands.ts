// Steps of larger statements: commands that are put into the outbox.
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { NewCommand } from '../../port/commands.ts';
import { givenAs, listed, listedFrom, rowsIn } from './given.ts';

/** Columns of a command that are given. */
const COMMAND = ['id', 'machineId', 'workerId', 'seq', 'body', 'settings', 'timeoutMs', 'createdAt'];

/** The same of one command. */
export function givenCommand(command: NewCommand, now: number): object {
  const seq = command.body.kind === 'command' ? command.body.seq : null;
  return { ...command, seq, createdAt: now };
}

/** The statement that puts commands into the outbox. `commands`: their rows, written down. */
export function addCommands(commands: string): RawBuilder<unknown> {
  return sql`insert into commands (${listed(COMMAND)}, state, result)
    select ${listedFrom('commands', COMMAND)}, 'pending', 'null' from (${rowsIn(givenAs('commands', COMMAND), commands)}) as given`;
}
