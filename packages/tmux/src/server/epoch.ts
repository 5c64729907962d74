/**
 * Fences drivers: where several may reach a tmux server, it obeys the one with the highest epoch so far. The server itself keeps that number
 * and compares it in the same step in which it acts, so a replaced driver types and starts nothing, however late its commands arrive. A driver
 * without an epoch is alone with its server and skips the check.
 */
import { type Chain, type Command, renderChain } from '../commands/command.ts';
import { firstError, linesOf, type Replies } from '../commands/runner.ts';
import { TmuxError } from '../errors.ts';

/** Number that grows with each driver that takes over; undefined for a driver that is alone. */
export type Epoch = number | undefined;

/** Option of the server with the highest epoch of all drivers so far. */
const OPTION = '@drover_epoch';
const FENCED = 'drover-fenced';
const CLAIMED = 'drover-claimed';

/** Makes the server obey this epoch; {@link checkClaim} reads the answer. */
export function claimOf(epoch: Epoch): readonly Chain[] {
  if (epoch === undefined) return [];
  const claim: Chain = [
    ['set-option', '-s', OPTION, String(epoch)],
    ['display-message', '-p', CLAIMED],
  ];
  return [ifObeyed(epoch, claim)];
}

/** @throws TmuxError `fenced` when the server obeys a higher epoch; `refused` when it did not take this one. */
export function checkClaim(answer: Replies, epoch: Epoch): void {
  if (epoch === undefined) return;
  const lines = linesOf(answer);
  if (lines.includes(CLAIMED)) return;
  throwIfFenced(lines);
  throw new TmuxError('refused', `tmux did not take the epoch ${epoch}: ${firstError(answer) ?? 'no reason given'}`);
}

/** Runs the chain in one step with the check that the server obeys this epoch. */
export function ifObeyed(epoch: Epoch, chain: Chain): Chain {
  if (epoch === undefined) return chain;
  return [['if-shell', '-F', isObeyed(epoch), renderChain(chain), renderChain([SAY_FENCED])]];
}

/** Format that is true if `condition` is and the server obeys this epoch. */
export function andObeyed(epoch: Epoch, condition: string): string {
  return epoch === undefined ? condition : `#{&&:${condition},${isObeyed(epoch)}}`;
}

/** @throws TmuxError `fenced` when an answer says that the server obeys a higher epoch: nothing was done. */
export function throwIfFenced(lines: readonly string[]): void {
  if (!lines.includes(FENCED)) return;
  throw new TmuxError('fenced', 'Another driver with a higher epoch now controls this tmux server: nothing was done');
}

const SAY_FENCED: Command = ['display-message', '-p', FENCED];

/** Format that is true if the server obeys this epoch; an unset option counts as 0. */
function isObeyed(epoch: number): string {
  return `#{e|<=:#{${OPTION}},${epoch}}`;
}
