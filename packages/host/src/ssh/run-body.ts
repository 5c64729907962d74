/** Picks the shell that a command runs on: one that waits, or one on a channel of its own. */
import { HostError } from '../errors.ts';
import { CarrierError } from './carrier.ts';
import { ConnectError } from './connect/errors.ts';
import type { ShellPool } from './shell/shell-pool.ts';
import type { CommandEnd, Limits } from './shell/warm-shell.ts';
import { Turns } from './turns.ts';

/** Input up to here travels in the line of a waiting shell; more takes a channel of its own. */
const LINE_INPUT_BYTES_MAX = 8 * 1024;
/** Deadlines from here on are those of validations and clones. */
const LONG_MS = 300_000;
/** Number of long commands that may hold waiting shells when the channel of their own is taken; the other shells stay for short ones. */
const LONG_IN_SHELLS = 2;

/** Options of a command, besides its text. */
export interface BodyOptions {
  readonly limits: Limits;
  readonly input?: string | Uint8Array | undefined;
  /** Name for messages: the program, or the operation. */
  readonly program: string;
}

/** Runs commands on the shells of the connection that is up. */
export class Bodies {
  readonly #pool: () => ShellPool;
  readonly #alone = new Turns(1);
  readonly #long = new Turns(LONG_IN_SHELLS);

  /** @param pool The shells of the present connection. @throws HostError `unreachable` when there is none. */
  constructor(pool: () => ShellPool) {
    this.#pool = pool;
  }

  /** @throws HostError `unreachable`, `connection-lost` or `spawn-failed`. */
  async run(body: Buffer, options: BodyOptions): Promise<Exclude<CommandEnd, { kind: 'lost' }>> {
    const end = await this.#on(body, options).catch((error: unknown): never => {
      throw notRun(options.program, error);
    });
    if (end.kind !== 'lost') return end;
    throw end.began ? lost(options.program) : notRun(options.program, new CarrierError('lost', 'it was cut off'));
  }

  #on(body: Buffer, { limits, input }: BodyOptions): Promise<CommandEnd> {
    const isLarge = input !== undefined && Buffer.byteLength(input) > LINE_INPUT_BYTES_MAX;
    const isLong = limits.timeoutMs >= LONG_MS;
    const alone = (): Promise<CommandEnd> => this.#alone.run(() => this.#pool().runAlone(body, limits, input ?? ''));
    const shared = (): Promise<CommandEnd> =>
      this.#pool().run(body, limits, input === undefined ? undefined : { kind: 'bytes', bytes: input });
    if (isLarge) return alone();
    if (!isLong) return shared();
    return this.#alone.isFree ? alone() : this.#long.run(shared);
  }
}

/** An error of opening shells, in the words of a host. */
export function notRun(program: string, error: unknown): unknown {
  if (error instanceof CarrierError && error.reason === 'lost') {
    return new HostError('unreachable', `Cannot run "${program}": there is no connection to the machine`, {
      program,
      cause: error,
    });
  }
  if (error instanceof CarrierError || error instanceof ConnectError) {
    const message = `Cannot run "${program}": the machine opened no shell for it. ${error.message}`;
    return new HostError('spawn-failed', message, { program, cause: error });
  }
  return error;
}

/** Error for a command whose outcome cannot be known. */
export function lost(program: string): HostError {
  const message = `The connection was lost while "${program}" ran: what it has done is not known`;
  return new HostError('connection-lost', message, { program });
}
