// The coordinator that is tried: started again whenever it ends, with how often it did.
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { call, SECRET } from '../../apps/coordinator/tests/support/coordinator.ts';
import { ScriptedMachine } from '../../apps/coordinator/tests/support/scripted-machine.ts';
import type { Keys } from './inputs.ts';

/** Messages of the coordinator's process. */
export type FromChild =
  | { readonly kind: 'ready'; readonly url: string; readonly invitations: readonly string[] }
  | { readonly kind: 'error'; readonly message: string };

const CHILD = fileURLToPath(new URL('child.ts', import.meta.url));
/** Longest wait for an honest exchange, in milliseconds. */
const HONEST_MS = 30_000;

/** Coordinator with two machines: one that the inputs speak for, and an honest one. */
export class Target implements AsyncDisposable {
  /** Ends of the coordinator's process, each time. */
  readonly exits: string[] = [];
  /** Lines of its log at the level of errors. */
  readonly errors: string[] = [];
  readonly #databaseUrl: string;
  #child: ChildProcess | null = null;
  #url = '';
  #keys: Keys = { person: SECRET, machine: '', machineId: '' };
  #honest: ScriptedMachine | null = null;
  #starts = 0;

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl;
  }

  get url(): string {
    return this.#url;
  }

  get keys(): Keys {
    return this.#keys;
  }

  /** The process id of the coordinator. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Starts it, if it does not run. */
  async ensure(): Promise<void> {
    if (this.#child !== null) return;
    // The address is not an argument: every user of the machine can read arguments, and it holds a password.
    const env = { ...process.env, DATABASE_URL: this.#databaseUrl };
    const child = fork(CHILD, [], { env, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    this.#child = child;
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (said = `${said}${text}`.slice(-4_000)));
    child.once('exit', (code, signal) => {
      if (this.#child === child) this.exits.push(`status ${code ?? signal}: ${said}`);
      if (this.#child === child) this.#child = null;
    });
    child.on('message', (message: FromChild) => void (message.kind === 'error' && this.errors.push(message.message)));
    const [ready] = (await once(child, 'message')) as [FromChild];
    if (ready.kind !== 'ready') throw new Error(`The coordinator did not start: ${ready.message}`);
    this.#url = ready.url;
    await this.#join(ready.invitations);
  }

  async #join([first = '', second = '']: readonly string[]): Promise<void> {
    this.#starts += 1;
    const tried = new ScriptedMachine(this.#url);
    await tried.join(first, `tried-${this.#starts}`);
    await tried.hello();
    this.#keys = { person: SECRET, machine: tried.accessToken, machineId: tried.machineId };
    await this.#honest?.[Symbol.asyncDispose]();
    this.#honest = new ScriptedMachine(this.#url);
    await this.#honest.join(second, `honest-${this.#starts}`);
    await this.#honest.hello();
    await this.#honest.connect();
  }

  /** A person's question, a machine's hello and its next observation. @returns what does not work; null: all of it does. */
  async honestProblem(): Promise<string | null> {
    const machine = this.#honest;
    if (this.#child === null || machine === null) return 'the coordinator has ended';
    const over = AbortSignal.timeout(HONEST_MS);
    const late = new Promise<never>((_, reject) =>
      over.addEventListener('abort', () => reject(new Error(`no answer in ${HONEST_MS} ms`)), { once: true }),
    );
    const exchange = async (): Promise<null> => {
      await call(this.#url, 'info');
      if (machine.closed !== null) throw new Error(`the honest machine was cut off: ${JSON.stringify(machine.closed)}`);
      const { seq } = machine.observe({ kind: 'panes', panes: [] });
      while (machine.storedThrough < seq && !over.aborted) await new Promise((resolve) => setTimeout(resolve, 5));
      return null;
    };
    return Promise.race([exchange(), late]).catch((error: unknown) => String(error));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#honest?.[Symbol.asyncDispose]();
    const child = this.#child;
    this.#child = null;
    if (child === null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
}
