/**
 * Runs first on a machine that was reached, before any command: asks who it is, sets the gateway that it obeys from now on, and ends all that
 * former gateways left.
 */
import { ConnectError } from '../connect/errors.ts';
import { FOLLOWER_MARK } from '../machine/watch.ts';
import { ownerWord, SHELL_MARK, type ShellOwner } from '../shell/bootstrap.ts';
import { line, quote } from '../shell/quote.ts';
import type { ShellPool } from '../shell/shell-pool.ts';
import { helpForDirectory } from './state-directory.ts';

/** Milliseconds for all of it. */
const ARRIVE_MS = 20_000;

/** Characters of the system's words. */
const WORDS_LENGTH_MAX = 400;

/** Facts that a machine reports when a gateway comes. */
export interface Arrival {
  /** Id made by the first gateway that came; a copied disk has the same. */
  readonly hostId: string;
  /** Directory in which Drover keeps what belongs to this machine. */
  readonly stateDirectory: string;
  readonly home: string;
  /** The highest epoch of all gateways that came. */
  readonly epoch: number;
}

/** Gateway that comes. */
export interface Arriving {
  readonly owner: ShellOwner;
  readonly epoch: number;
  /** Host-id of the machine as known before; undefined for a new machine. */
  readonly hostId: string | undefined;
  /** Names of other machines by their host-id: one that has the same is a copy of their disk. */
  readonly others: ReadonlyMap<string, string>;
  /** Id for a machine that has none. */
  readonly newHostId: string;
}

/**
 * Claims the epoch and ends what former gateways left running: their shells with all that runs in them, what follows news, and their
 * control clients, of which one without a reader would hold its tmux server.
 *
 * @throws ConnectError `other-machine`, `cloned`, `no-directory`, or `fenced` when a gateway with a higher epoch was here.
 */
export async function arrive(pool: ShellPool, arriving: Arriving): Promise<Arrival> {
  const limits = { timeoutMs: ARRIVE_MS, outputBytesMax: 64 * 1024, excess: 'drop' } as const;
  const end = await pool.run(arriveBody(arriving), limits);
  if (end.kind !== 'ended') throw new ConnectError('unreachable', 'The machine did not answer its first question');
  const [hostId = '', stateDirectory = '', home = '', epoch] = end.stdout.toString().split('\n');
  if (epoch === undefined || hostId === '') throw unusable(end.stderr, stateDirectory);
  const twin = arriving.others.get(hostId);
  if (twin !== undefined) {
    const message = `This machine has the same host-id as "${twin}": one disk is a copy of the other. Remove "${stateDirectory}" on a machine without workers, then connect again`;
    throw new ConnectError('cloned', message);
  }
  if (arriving.hostId !== undefined && arriving.hostId !== hostId) {
    const message = `Another machine answers here: its host-id is ${hostId}, expected ${arriving.hostId}`;
    throw new ConnectError('other-machine', message);
  }
  if (!Number.isSafeInteger(Number(epoch))) {
    const said = JSON.stringify(epoch.slice(0, 80));
    throw new ConnectError(
      'no-shell',
      `The machine answered its first question with the epoch ${said}, expected a number`,
    );
  }
  if (Number(epoch) > arriving.epoch) {
    const message = `Another gateway serves this machine: its epoch ${epoch} is higher than ${arriving.epoch}`;
    throw new ConnectError('fenced', message);
  }
  // A machine that could not write the epoch fences no gateway that was here before.
  if (Number(epoch) < arriving.epoch) throw unusable(end.stderr, stateDirectory);
  return { hostId, stateDirectory, home, epoch: Number(epoch) };
}

/** @param directory Empty where not even that was told: then it is in the words. */
function unusable(stderr: Buffer, directory: string): ConnectError {
  const words = stderr.toString().trim().slice(0, WORDS_LENGTH_MAX) || 'it does not keep what is written there';
  const name = directory === '' ? '' : `, "${directory}",`;
  const message = `The directory of Drover on the machine${name} cannot be used: ${words}. ${helpForDirectory(words)}`;
  return new ConnectError('no-directory', message);
}

/**
 * A name in `epochs` is made in one step and never taken back, so the highest of them decides, however many gateways come at once;
 * `epoch` is a copy that every command can read without a process.
 */
function arriveBody({ owner, epoch, hostId, others, newHostId }: Arriving): Buffer {
  const highest = 'm=0; for f in "$d"/epochs/*; do e=${f##*/}; [ "$e" -gt "$m" ] 2>/dev/null && m=$e; done';
  const steps = [
    line`export LC_ALL; d=${Buffer.from('${XDG_STATE_HOME:-$HOME/.local/state}')}/drover; umask 77; mkdir -p "$d/epochs" || exit 1`,
    line`[ -s "$d/host-id" ] || { printf "%s\\n" ${quote(newHostId)} >"$d/host-id.$$"; ln "$d/host-id.$$" "$d/host-id"; rm -f "$d/host-id.$$"; }`,
    line`IFS= read -r h <"$d/host-id" || exit 1`,
    line`printf "%s\\n" "$h" "$d" "$HOME"`,
    // Claims nothing and ends nothing on another machine than expected.
    ...(hostId === undefined ? [] : [line`[ "$h" = ${quote(hostId)} ] || { echo 0; exit 0; }`]),
    ...[...others.keys()].map((other) => line`[ "$h" != ${quote(other)} ] || { echo 0; exit 0; }`),
    line`: >"$d/epochs/${epoch}"`,
    line`while :; do ${Buffer.from(highest)}; n=$m; printf "%s\\n" "$m" >"$d/epoch.$$" && mv -f "$d/epoch.$$" "$d/epoch"; ${Buffer.from(highest)}; [ "$m" = "$n" ] && break; done`,
    // Reads the epoch back from the file, which every command reads: a disk that is full takes an empty file, and not its content.
    line`rm -f "$d/epoch.$$"; n=; IFS= read -r n <"$d/epoch"; printf "%s\\n" "$n"; [ "$m" -gt ${epoch} ] && exit 0`,
    line`for f in "$d"/epochs/*; do [ "\${f##*/}" -lt ${epoch} ] 2>/dev/null && rm -f "$f"; done`,
    endLeftOver(owner),
  ];
  return Buffer.concat(steps.flatMap((step, at) => (at === 0 ? [step] : [Buffer.from('; '), step])));
}

/** Each is the first of its group; where it is not, it is ended alone. */
function endLeftOver(owner: ShellOwner): Buffer {
  const own = Buffer.from(ownerWord(owner));
  const all = Buffer.from(ownerWord({ ...owner, connection: '' }));
  const shell = Buffer.from(SHELL_MARK);
  const follower = Buffer.from(FOLLOWER_MARK);
  return line`{ ps -A -o pid= -o args= || ps -o pid,args; } 2>/dev/null | while read -r p a; do case $a in *${own}*) ;; *"${shell} ${all}"*|*"${follower} ${all}"*|*" -S $d/run/"*" -C attach-session "*) kill -9 -"$p" || kill -9 "$p";; esac; done 2>/dev/null`;
}
