/**
 * Tests the promises of infra/image and infra/compose, without an engine: the files of the image are enough, and behind
 * the Caddyfile with TLS one replica after the other goes in the middle of a task.
 */
import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openTestDatabase } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { hasCaddy, startCaddy } from '../support/caddy.ts';
import { layImage } from '../support/image.ts';
import type { Image } from '../support/image.ts';
import { freePort } from '../../../../tools/fleet/place.ts';
import { endOf, endProcess, finished, output } from '../../../../tools/fleet/processes.ts';
import { DROVER, REPOSITORY } from '../../../../tools/fleet/program.ts';
import { Sandbox } from '../../../../tools/fleet/sandbox.ts';
import { until } from '../../../../tools/fleet/wait.ts';

const TEST_MS = 600_000;

const isThere = hasCaddy();
const mark = isThere ? '' : 'NOT RUN, caddy is missing ("apt-get install caddy"): ';

test.skipIf(!isThere)(
  `${mark}given two replicas of the image behind Caddy, when one is killed and the other is ended in the middle of a task, then main has the work`,
  { timeout: TEST_MS },
  async () => {
    await using stack = new AsyncDisposableStack();
    const sandbox = stack.use(await Sandbox.withRoot());
    const { connectionString } = stack.use(await openTestDatabase());
    const at = (...parts: readonly string[]): string => path.join(sandbox.directory, ...parts);
    const image = await layImage(at('image'));
    // Set up like a team: each machine clones the project from an address.
    await sandbox.git('clone', '--quiet', '--bare', sandbox.source, at('remote.git'));
    await mkdir(at('shop'));
    await writeFile(
      at('shop/drover.toml'),
      `[repo]\nsource = "file://${at('remote.git')}"\n\n[defaults]\nprofile = "sim"\n`,
    );
    const replicas = new Replicas(image, { mounted: at('shop'), tmp: at('tmp'), database: connectionString });
    stack.use(replicas);

    const { token } = await replicas.migrate();
    const first = await replicas.start();
    const second = await replicas.start();
    const proxy = stack.use(
      await startCaddy({
        caddyfile: path.join(REPOSITORY, 'infra/compose/Caddyfile'),
        directory: at('caddy'),
        port: await freePort(),
        upstreams: [first, second].map(({ port }) => `127.0.0.1:${port}`),
      }),
    );
    const trusting = { NODE_EXTRA_CA_CERTS: proxy.authority };
    const person = { ...trusting, DROVER_URL: proxy.url, DROVER_TOKEN: token };
    const drover = async (...args: readonly string[]): Promise<string> => {
      const { status, stdout, stderr } = await sandbox.drover(args, { env: person });
      if (status !== 0) throw new Error(`drover ${args.join(' ')}: ${stderr}\n${replicas.said()}`);
      return stdout;
    };
    const { token: join } = JSON.parse(await drover('machine', 'invite', '--json')) as { token: string };
    const agent = spawn(DROVER, ['server', 'agent', '--url', proxy.url, '--join', join], {
      cwd: sandbox.root,
      env: { ...sandbox.env, ...trusting },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    stack.defer(() => endProcess(agent, 'SIGTERM'));
    const said = output(agent);
    const reach = (replica: Replica, where: string, what: RegExp): Promise<true> => {
      let last = '';
      return until(`${String(what)} of ${where}`, async () => {
        const headers = { authorization: `Bearer ${token}` };
        const answer = await fetch(`${replica.url}${where}`, { headers });
        last = await answer.text();
        return what.test(last) || undefined;
      }).catch((error: unknown) => {
        throw new Error([String(error), last, said(), replicas.said()].join('\n'));
      });
    };

    await reach(second, '/v1/machines', /"state":"connected"/u);
    await drover('add', 'adam');
    await reach(second, '/v1/workers', /"status":"idle"/u);
    const steps = ['WRITE b.txt two', `WAITFILE ${at('gate')}`, 'COMMIT second'];
    await drover('start', '--worker', 'adam', '--prompt', ['Do it.', ...steps].join('\n'));
    await reach(second, '/v1/workers', /"status":"working"/u);

    await first.kill();
    await drover('message', 'adam', 'Go on.');
    const again = await replicas.start(first.port);
    expect(await second.end()).toBe(0);
    await writeFile(at('gate'), '');
    await reach(again, '/v1/workers', /"status":"needs_review"/u);
    expect(await drover('review', 'adam')).toContain('b.txt');
    await drover('accept', 'adam');

    expect(replicas.said()).not.toContain('DROVER_TOKEN');
    expect(await sandbox.git('--git-dir', at('remote.git'), 'show', 'main:b.txt')).toBe('two');
  },
);

interface Replica {
  readonly port: number;
  readonly url: string;
  kill(): Promise<void>;
  /** Asks the process to end. @returns the process's status. */
  end(): Promise<number | null>;
}

interface ReplicaParts {
  readonly mounted: string;
  readonly tmp: string;
  readonly database: string;
}

/** Replicas of one database, each with a place of its own in memory. */
class Replicas implements AsyncDisposable {
  readonly #image: Image;
  readonly #parts: ReplicaParts;
  readonly #stack = new AsyncDisposableStack();
  readonly #outputs: (() => string)[] = [];

  constructor(image: Image, parts: ReplicaParts) {
    this.#image = image;
    this.#parts = parts;
  }

  async migrate(): Promise<{ readonly token: string }> {
    const { status, stdout, stderr } = await finished(
      await this.#run(['server', 'migrate', '--admin', 'ada', '--json']),
    );
    if (status !== 0) throw new Error(`migrate: ${stderr}`);
    const { token } = JSON.parse(stdout) as { token: { secret: string } };
    return { token: token.secret };
  }

  /** Starts a replica like the image, but for loopback alone. */
  async start(given?: number): Promise<Replica> {
    const port = given ?? (await freePort());
    const command = this.#image.command.map((word) => (word === '0.0.0.0' ? '127.0.0.1' : word));
    const child = await this.#run([...command, '--port', String(port)]);
    const ended = endOf(child);
    const said = output(child);
    this.#outputs.push(said);
    this.#stack.defer(() => endProcess(child, 'SIGKILL'));
    const url = `http://127.0.0.1:${port}`;
    await until(`a replica to serve`, async () => {
      if (child.exitCode !== null) throw new Error(`it ended: ${said()}`);
      return fetch(`${url}/readyz`).then(
        ({ ok }) => ok || undefined,
        () => undefined,
      );
    });
    return {
      port,
      url,
      kill: () => endProcess(child, 'SIGKILL'),
      end: async () => {
        child.kill('SIGTERM');
        return (await ended).status;
      },
    };
  }

  /** Returns the output of all replicas. */
  said(): string {
    return this.#outputs.map((said) => said()).join('\n');
  }

  async #run(args: readonly string[]) {
    const tmp = path.join(this.#parts.tmp, String(this.#outputs.length));
    await mkdir(tmp, { recursive: true });
    return this.#image.run(args, { mounted: this.#parts.mounted, tmp, env: { DATABASE_URL: this.#parts.database } });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}
