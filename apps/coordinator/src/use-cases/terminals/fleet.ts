/** Opens terminals for people who may, and keeps each in the audit. Both ends meet in `terminals/`. */
import type { Refusal, TerminalFleet } from '@drover/api';
import type { Machine, WorkerRow } from '@drover/store';
import { sha256 } from '../../context/sha256.ts';
import type { Waiters } from '../../context/waiters.ts';
import type { Context } from '../../context/context.ts';
import { ask } from '../../facts/machines/query.ts';
import { audited } from '../../facts/people/audit-rows.ts';
import { causeOf } from '../../facts/people/causes.ts';
import { findWorker, type Reach } from '../../facts/workers/find.ts';

/** Milliseconds for which a ticket is valid: a program uses it at once. */
const TICKET_MS = 30_000;
/** Tickets of one token that wait to be used: the page asks for nine at once, in several windows, and a reload leaves them unused. */
export const WAITING_MAX = 36;

/** Dependencies of these use cases beside their context. */
export interface TerminalParts {
  readonly commands: Waiters;
  /** Tells whether this process holds connections open, between which it can pass on a terminal; absent: false. */
  readonly relaysTerminals?: boolean | undefined;
}

export function createTerminalFleet(ctx: Context, parts: TerminalParts): TerminalFleet {
  return {
    openTerminal: async ({ name, types }, by) => {
      const found = await findPane(ctx, by, name);
      if (found.kind === 'refused') return found;
      if (parts.relaysTerminals !== true) return NO_RELAY;
      const { row, machine } = found;
      const ticket = ctx.ids.secret();
      const now = ctx.clock.now();
      const of = { workerId: row.id, machineId: row.machineId, tokenId: by.id, types };
      const terminal = { id: ctx.ids.uuid(), ...of, expiresAt: now + TICKET_MS };
      const isOpen = await ctx.store.transaction(async (tx) => {
        const limits = { now, waitingMax: WAITING_MAX };
        // Two requests that count at once would each find room for themselves.
        await tx.lockName(`terminals ${by.id}`);
        if (!(await tx.insertTerminal({ ...terminal, secretSha256: sha256(ticket) }, limits))) return false;
        const action = types ? 'terminal-attached' : 'terminal-watched';
        const details = { terminal: terminal.id, machine: machine.id };
        const chain = `worker:${row.id}`;
        await tx.audit(audited({ at: now, by: causeOf(by), action, about: `worker ${row.name}`, chain, details }));
        return true;
      });
      if (!isOpen) return TOO_MANY;
      ctx.log('info', `${by.name} ${types ? 'attaches to' : 'watches'} the worker "${row.name}"`, { workerId: row.id });
      return { kind: 'ok', value: { worker: row.name, machine: machine.name, ticket, types } };
    },
    locatePane: async ({ name }, by) => {
      const found = await findPane(ctx, by, name);
      if (found.kind === 'refused') return found;
      const { row, machine } = found;
      const where = { worker: row.name, machine: machine.name, address: machine.address };
      if (machine.address === null) return { kind: 'ok', value: { ...where, place: null } };
      const answer = await ask(ctx, parts, { row, query: { kind: 'locate-pane' } });
      if (answer.kind === 'located') {
        const { socket, session } = answer;
        return { kind: 'ok', value: { ...where, place: { socket, session } } };
      }
      const message =
        answer.kind === 'failed' ? answer.message : 'The answer of the machine does not match the question';
      return { kind: 'refused', code: 'machine', message };
    },
  };
}

const NO_RELAY: Refusal = {
  kind: 'refused',
  code: 'no-relay',
  message:
    'This coordinator runs as functions and holds no connection open, so no terminal goes through it. Use "drover logs WORKER --pane --follow", or give the machine an address for ssh with "drover machine label NAME --address user@host"',
};

const TOO_MANY: Refusal = {
  kind: 'refused',
  code: 'too-many-terminals',
  message: `This token has requested ${WAITING_MAX} terminals without opening them: retry in ${TICKET_MS / 1000} s`,
};

async function findPane(
  ctx: Context,
  reach: Reach,
  name: string,
): Promise<{ readonly kind: 'found'; readonly row: WorkerRow; readonly machine: Machine } | Refusal> {
  const found = await findWorker(ctx, reach, name);
  if (found.kind === 'refused') return found;
  const { row } = found;
  const machine = await ctx.store.readMachine(row.machineId);
  if (machine === null) return { kind: 'refused', code: 'not-found', message: `The machine of "${name}" is gone` };
  if (machine.revokedAt !== null) {
    const message = `The machine "${machine.name}" of "${name}" is revoked, so its terminals cannot be reached: "drover machine invite" lets it in again`;
    return { kind: 'refused', code: 'revoked', message };
  }
  if (row.state.lifecycle.status !== 'offline') return { kind: 'found', row, machine };
  const why = row.state.lifecycle.note || 'offline';
  return {
    kind: 'refused',
    code: 'no-session',
    message: `"${name}" has no session (${why}): "drover why ${name}" explains it`,
  };
}
