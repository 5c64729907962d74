/** Runs checks of a merge on the other machine that the project names: this machine sends the candidate and asks for them. */
import { randomUUID } from 'node:crypto';
import { CHECKS_CANNOT_RUN, type Command, type CommandResult } from '@drover/core';
import { type HomeRequest, queryResult } from '@drover/protocol';
import { packForChecks } from '@drover/worktree';
import { CommandError } from '../../failure.ts';
import { depotPlaceOf } from '../depot-of.ts';
import { sendPacked } from '../parcels.ts';
import type { CommandContext } from '../tools.ts';
import { openPlaceOf } from '../worktree-of.ts';

/** Bytes of a parcel, until the coordinator has named its limit. */
const BYTES_MAX = 1024 ** 3;

/**
 * Makes the other machine check the candidate. @throws CommandError `checks-away`: it is silent. `checks-stay`: they must run on this machine,
 * for a reason that will not pass by itself.
 */
export async function checkThere(
  context: CommandContext,
  { at, on }: { readonly at: Command<'validate'>['at']; readonly on: string },
): Promise<CommandResult> {
  const { cages, settings } = context;
  if (cages.holds(settings))
    throw stays(on, `"${settings.name}" is isolated on its machine, where its checks run apart`);
  return ask(context, { at, on, isWhole: false, resend: false });
}

interface Asked {
  readonly at: Command<'validate'>['at'];
  readonly on: string;
  readonly isWhole: boolean;
  readonly resend: boolean;
}

/** Sends the whole history if its base is missing there; resends once if it arrives damaged. */
async function ask(context: CommandContext, asked: Asked): Promise<CommandResult> {
  const { at, on, isWhole, resend } = asked;
  const parcel = await send(context, asked);
  const request: HomeRequest['ask'] = { kind: 'checks', parcel, commit: at.head, tree: at.tree };
  const result = await answerTo(context, request, on);
  if (result.kind === 'failed') {
    if (!resend && SENT_AGAIN.has(result.code)) return ask(context, { ...asked, resend: true });
    const retry = AGAIN.has(result.code);
    if (retry || CHECKS_CANNOT_RUN.has(result.code))
      throw new CommandError(result.code, `On "${on}", which runs the checks: ${result.message}`, { retry });
    throw stays(on, result.message);
  }
  if (result.kind !== 'checks-ended') throw stays(on, `it answered "${result.kind}"`);
  const { outcome } = result;
  if (outcome.kind === 'incomplete') {
    if (!isWhole) return ask(context, { ...asked, isWhole: true });
    throw stays(on, 'it lacks commits on which the work is based');
  }
  return outcome.kind === 'changed' ? outcome : { ...outcome, on };
}

/** @returns null where main has the commit. */
async function send(
  context: CommandContext,
  { at, on, isWhole, resend }: Asked,
): Promise<{ readonly sha256: string; readonly bytes: number } | null> {
  const { host, parcels, commandId: id } = context;
  const sending = { spool: parcels.spool, id, maxBytes: BYTES_MAX, sha256Of: host.sha256 };
  const request = { commit: at.head, isWhole, ...sending };
  const packed = await packForChecks(openPlaceOf(context).git, depotPlaceOf(context), request);
  if (packed.kind === 'contained') return null;
  if (packed.kind === 'content') throw stays(on, `Git LFS keeps the content of "${packed.path}" on this machine`);
  const sent = await sendPacked(context, packed, resend);
  if (sent.kind !== 'packed') throw stays(on, 'nothing was sent');
  return { sha256: sent.sha256, bytes: sent.bytes };
}

async function answerTo(
  { parcels, commandId: command, signal }: CommandContext,
  request: HomeRequest['ask'],
  on: string,
): Promise<NonNullable<ReturnType<typeof queryResult.safeParse>['data']>> {
  try {
    const answer = await parcels.askHome({ command, id: randomUUID(), ask: request }, signal);
    const result = queryResult.safeParse(answer.result);
    if (result.success) return result.data;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    if (error.code === 'home-away') throw new CommandError('checks-away', error.message, { retry: true, cause: error });
    throw stays(on, error.message);
  }
  throw stays(on, 'this build cannot read its answer: update the older of the two');
}

function stays(on: string, why: string): CommandError {
  return new CommandError('checks-stay', `Its checks do not run on "${on}": ${why}`, { retry: true });
}

/** Failures after which the parcel is sent again: it arrived altered, or is gone. */
const SENT_AGAIN: ReadonlySet<string> = new Set(['parcel-damaged', 'parcel-gone']);
/** Failures there after which the command may be retried: it went down, or its disk is full. */
const AGAIN: ReadonlySet<string> = new Set([...SENT_AGAIN, 'agent-restarted', 'timed-out', 'locked', 'disk-full']);
