// A computer that only ssh reaches, played on loopback: an sshd, a home and keys of its own, and nothing of Drover's. For demos and trials.
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@drover/base';
import { createLocalHost } from '@drover/host';
import { startSshd, type TestSshd } from '@drover/host/testing';
import { endServers } from '@drover/tmux';

/** Host reached over loopback. Disposing ends what runs on it, and removes its directory. */
export class LoopbackHost implements AsyncDisposable {
  readonly name: string;
  readonly #sshd: TestSshd;

  private constructor(name: string, sshd: TestSshd) {
    this.name = name;
    this.#sshd = sshd;
  }

  /** Starts its sshd. @throws where there is none on this computer. */
  static async start(name: string): Promise<LoopbackHost> {
    const sshd = await startSshd();
    await writeFile(join(sshd.home, '.gitconfig'), `[user]\nname = ${name}\nemail = ${name}@example.com\n`);
    return new LoopbackHost(name, sshd);
  }

  /** Holds everything that is of it. */
  get directory(): string {
    return this.#sshd.directory;
  }

  get home(): string {
    return this.#sshd.home;
  }

  /** Directory of its tmux servers' sockets. */
  get runtime(): string {
    return join(this.home, '.local/state/drover/run');
  }

  /** Fingerprint of its key as `ssh-keygen -lf` prints it. */
  get fingerprint(): string {
    const [, key = ''] = this.#sshd.hostKey.split(' ');
    const sha = createHash('sha256').update(Buffer.from(key, 'base64')).digest('base64');
    return `SHA256:${sha.replace(/=+$/u, '')}`;
  }

  /** Words that a person who has compared its key types after `drover machine add`. */
  get way(): readonly string[] {
    const { user, port, keyFile } = this.#sshd;
    const address = [`${user}@127.0.0.1`, '--port', String(port), '--identity', keyFile];
    return [...address, '--name', this.name, '--host-key', this.fingerprint];
  }

  /** Ends its connections, as a fault of the network does. */
  cut(): Promise<void> {
    return this.#sshd.killSessions();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await endServers({ host: createLocalHost({ env: process.env }), clock: systemClock }, this.runtime);
    await this.#sshd[Symbol.asyncDispose]();
  }
}
