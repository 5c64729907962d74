// The host of a trial over SSH: an sshd on loopback with a home of its own, in which the agent's program runs and Drover is not installed.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { createLocalHost, systemClock } from '@drover/host';
import { startSshd, type TestSshd } from '@drover/host/testing';
import { endServers } from '@drover/tmux';

const run = promisify(execFile);

/** What the machine is called. */
export const FAR = 'far';

/** A host that `drover machines add` makes a machine. Disposing ends what runs on it, and removes its directory. */
export class FarWorker implements AsyncDisposable {
  readonly #sshd: TestSshd;

  private constructor(sshd: TestSshd) {
    this.#sshd = sshd;
  }

  static async start(gitConfig: string): Promise<FarWorker> {
    const sshd = await startSshd();
    await writeFile(path.join(sshd.home, '.gitconfig'), gitConfig);
    return new FarWorker(sshd);
  }

  get home(): string {
    return this.#sshd.home;
  }

  /** Where the sockets of its tmux servers are. */
  get runtime(): string {
    return path.join(this.home, '.local/state/drover/run');
  }

  /** Makes it a machine of the fleet, as a person does who has compared its key. */
  async add(drover: string, { root, env }: { root: string; env: Readonly<Record<string, string>> }): Promise<void> {
    const { user, port, keyFile, hostKey } = this.#sshd;
    const [, key = ''] = hostKey.split(' ');
    const sha = createHash('sha256').update(Buffer.from(key, 'base64')).digest('base64').replace(/=+$/u, '');
    const way = [`${user}@127.0.0.1`, '--port', String(port), '--identity', keyFile, '--host-key', `SHA256:${sha}`];
    await run(drover, ['machines', 'add', ...way, '--name', FAR], { cwd: root, env });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await endServers({ host: createLocalHost({ env: process.env }), clock: systemClock }, this.runtime);
    await this.#sshd.killSessions().catch(() => {});
    await this.#sshd[Symbol.asyncDispose]();
  }
}
