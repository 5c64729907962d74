// A computer of the team on which nothing of Drover's is installed: an sshd, a home and a key of its own, on loopback.
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLocalHost, systemClock } from '@drover/host';
import { sshdProgram, startSshd, type TestSshd } from '@drover/host/testing';
import { endServers } from '@drover/tmux';
import { DemoFailure } from '../failure.ts';

/** One host that ssh reaches. */
export class TeamHost implements AsyncDisposable {
  readonly name: string;
  readonly #sshd: TestSshd;

  private constructor(name: string, sshd: TestSshd) {
    this.name = name;
    this.#sshd = sshd;
  }

  /** Starts its sshd. @throws {DemoFailure} where there is none on this computer. */
  static async start(name: string): Promise<TeamHost> {
    if (process.platform !== 'linux')
      throw new DemoFailure('This demo cuts connections by what only Linux tells of them');
    if (sshdProgram() === undefined)
      throw new DemoFailure(
        'This demo reaches its hosts through a real sshd, which is not installed. On Debian and Ubuntu: apt-get install openssh-server',
      );
    const sshd = await startSshd();
    await writeFile(join(sshd.home, '.gitconfig'), `[user]\nname = ${name}\nemail = ${name}@example.com\n`);
    return new TeamHost(name, sshd);
  }

  /** Holds everything that is of it. */
  get directory(): string {
    return this.#sshd.directory;
  }

  /** Its key as `ssh-keygen -lf` prints it. */
  get fingerprint(): string {
    const [, key = ''] = this.#sshd.hostKey.split(' ');
    const sha = createHash('sha256').update(Buffer.from(key, 'base64')).digest('base64');
    return `SHA256:${sha.replace(/=+$/u, '')}`;
  }

  /** What a person types after `drover machines add`. */
  get way(): readonly string[] {
    const { user, port, keyFile } = this.#sshd;
    return [`${user}@127.0.0.1`, '--port', String(port), '--identity', keyFile, '--name', this.name];
  }

  /** Ends its connections, as a fault of the network does. */
  cut(): Promise<void> {
    return this.#sshd.killSessions();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const run = join(this.#sshd.home, '.local/state/drover/run');
    await endServers({ host: createLocalHost({ env: process.env }), clock: systemClock }, run);
    // Connections outlive their server, and hold its output open.
    await this.cut().catch(() => {});
    await this.#sshd[Symbol.asyncDispose]();
  }
}
