// Steps of larger statements: commands that are put into the outbox.
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { NewCommand } from '../../port/commands.ts';
import { rowsIn } from '../given.ts';
import type { Columns } from '../given.ts';

/** Columns of `given` for a command. */
const COMMAND = {
  id: 'uuid',
  machine: 'uuid',
  worker: 'uuid',
  seq: 'bigint',
  body: 'jsonb',
  settings: 'jsonb',
  timeout_ms: 'bigint',
  made_at: 'double precision',
} satisfies Columns;

/** The same of one command. */
export function givenCommand(
  { id, machineId, workerId, body, settings, timeoutMs }: NewCommand,
  now: number,
): Record<keyof typeof COMMAND, unknown> {
  const seq = body.kind === 'command' ? body.seq : null;
  return { id, machine: machineId, worker: workerId, seq, body, settings, timeout_ms: timeoutMs, made_at: now };
}

/** The statement that puts commands into the outbox. `commands`: their rows, written down. */
export function addCommands(commands: string): RawBuilder<unknown> {
  return sql`insert into commands (id, machine_id, worker_id, seq, body, settings, state, timeout_ms, result, created_at)
    select id, machine, worker, seq, body, settings, 'pending', timeout_ms, 'null', to_timestamp(made_at / 1000)
    from (${rowsIn(COMMAND, commands)}) as command`;
}
