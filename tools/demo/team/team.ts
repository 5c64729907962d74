// Starts the processes of a team's Drover: two coordinators, a computer with an agent, two that only ssh reaches, and two gateways.
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@drover/embedded-postgres';
import { z } from 'zod';
import { DemoFailure, until } from '../failure.ts';
import { background, commands, saidHello, type Fleet, type Stage } from '../fleet.ts';
import { endTmux } from '../../fleet/place.ts';
import type { Endpoint } from '../happenings.ts';
import type { Running } from '../programs.ts';
import type { LoopbackHost } from '../../loopback-host.ts';
import { startHost } from './host.ts';

/** Fields of a shown machine that the demo looks at. */
export type ShownMachine = z.infer<typeof shownMachine>;

const shownMachine = z.object({
  name: z.string(),
  state: z.string(),
  lastSeenAt: z.number().nullable(),
  ssh: z.object({ state: z.string(), gateway: z.string().nullable(), epoch: z.number() }).nullable(),
});

const invitation = z.object({ token: z.string() });

/** The computer with an agent of Drover's. */
export const DESK = 'desk';

/** The computers that only ssh reaches. */
export const HOSTS = ['linden', 'maple'] as const;

/** Milliseconds for anything between computers: many times what it takes on an idle one. */
const PATIENCE_MS = 90_000;

/** A silent machine is suspect after this time, and a gateway that was killed is replaced: in the demo nobody wants to wait 30 s. */
const SETTINGS = { DROVER_COORDINATOR_SUSPECT_AFTER_SECS: '6', DROVER_COORDINATOR_DISCONNECTED_AFTER_SECS: '120' };

/** The fleet of a team, while it runs. */
export class Team implements Fleet, AsyncDisposable {
  readonly endpoints: readonly Endpoint[];
  readonly drover: Fleet['drover'];
  readonly #hosts = new Map<string, LoopbackHost>();
  readonly #stage: Stage;
  readonly #env: Stage['place']['env'];
  readonly #coordinators: readonly Running[];
  readonly #others = new Map<string, Running>();
  readonly #stack = new AsyncDisposableStack();
  #current = 0;

  private constructor(
    stage: Stage,
    {
      endpoints,
      coordinators,
      env,
    }: { endpoints: readonly Endpoint[]; coordinators: readonly Running[]; env: Stage['place']['env'] },
  ) {
    this.#stage = stage;
    this.endpoints = endpoints;
    this.#coordinators = coordinators;
    this.#env = env;
    this.drover = commands(stage, () => this.env);
  }

  /** Starts two coordinators on a database of their own, which ends with `stack`. */
  static async start(stage: Stage, stack: AsyncDisposableStack): Promise<Team> {
    const { place, page, signal } = stage;
    const dataDir = join(place.base, 'postgres');
    const server = stack.use(await startEmbeddedPostgres({ dataDir, log: () => {}, durability: 'none' }));
    const token = randomBytes(24).toString('base64url');
    const env = { ...withoutRoot(place.env), ...SETTINGS, DATABASE_URL: server.connectionString, DROVER_TOKEN: token };
    const coordinators: Running[] = [];
    const endpoints: Endpoint[] = [];
    for (const name of ['coordinator-1', 'coordinator-2']) {
      page.command('drover server coordinator');
      const coordinator = background(stage, name, { args: ['server', 'coordinator', '--port', '0', '--json'], env });
      const { url = '', pid } = await coordinator.ready(signal);
      page.happened('office', `${name} listens at ${url} (process ${pid})`);
      coordinators.push(coordinator);
      endpoints.push({ url, token });
    }
    return stack.use(new Team(stage, { endpoints, coordinators, env }));
  }

  /** The computer with an agent joins. */
  async joinDesk(): Promise<void> {
    const { page, signal } = this.#stage;
    page.command('drover machine join …  and  drover server agent');
    await this.#join(DESK, ['machine', 'join'], ['machine', 'invite', '--json']);
    this.#begin(DESK, 'agent');
    await saidHello(this.#coordinators[0], signal);
    page.happened(DESK, 'is a machine of the fleet: an agent of Drover runs on it', { tone: 'good' });
  }

  /** A gateway joins, which speaks for hosts that ssh reaches. */
  async joinGateway(name: string): Promise<void> {
    const { page } = this.#stage;
    page.command('drover gateway join …  and  drover server gateway');
    await this.#join(name, ['gateway', 'join'], ['machine', 'invite', '--gateway', '--json']);
    this.#begin(name, 'gateway');
    await this.#connected(name, 0);
    page.happened(name, 'is a gateway: it holds the keys for ssh, and serves hosts with nothing of Drover on them');
  }

  /** A gateway that was killed is started again. */
  async restartGateway(name: string): Promise<void> {
    const before = await this.#connections(name);
    this.#begin(name, 'gateway');
    await this.#connected(name, before);
  }

  /** A host becomes a machine. */
  async addHost(name: string): Promise<void> {
    const { page } = this.#stage;
    const host = this.#stack.use(await startHost(name));
    this.#hosts.set(name, host);
    page.command(`drover machine add ${host.way[0] ?? ''} --name ${name} --host-key ${host.fingerprint.slice(0, 16)}…`);
    await this.drover('machine', 'add', ...host.way);
    page.happened(name, 'is a machine of the fleet: sshd, sh, git and tmux are all that it has', { tone: 'good' });
  }

  /** Cuts the link to a host. Returns once its gateway has noticed, and has reached it again. */
  async cut(name: string, gateway: string): Promise<void> {
    const { signal } = this.#stage;
    const before = (await this.#losses(name, gateway)).length;
    await this.#hosts.get(name)?.cut();
    const noticed = async (): Promise<true | undefined> =>
      (await this.#losses(name, gateway)).length > before || undefined;
    await until(noticed, { what: `${gateway} notices that ${name} is lost`, withinMs: PATIENCE_MS, signal });
    const noticedAt = Date.now();
    // The coordinator's knowledge is old until the machine is heard again.
    const isBack = ({ ssh, lastSeenAt }: ShownMachine): boolean =>
      ssh?.state === 'connected' && (lastSeenAt ?? 0) > noticedAt;
    await this.machine(name, 'is reached again', isBack);
  }

  async #losses(name: string, gateway: string): Promise<readonly string[]> {
    const lines = (await this.#others.get(gateway)?.log()) ?? [];
    return lines.filter((line) => line.includes(`The machine "${name}" is lost`));
  }

  /** Kills a process of the fleet, and prints that. */
  async kill(name: string, sentence: string): Promise<number> {
    const { page } = this.#stage;
    const running = this.#others.get(name) ?? this.#coordinators.find((one) => one.name === name);
    const at = Date.now();
    page.command(`kill -9 ${running?.pid ?? ''}`, at);
    if (name === 'coordinator-1') this.#current = 1;
    await running?.end('SIGKILL');
    page.happened(this.#others.has(name) ? name : 'office', sentence, { tone: 'bad', at });
    return at;
  }

  /** Waits until a machine is as it is wanted. */
  async machine(name: string, what: string, fits: (machine: ShownMachine) => boolean): Promise<ShownMachine> {
    const ask = async (): Promise<ShownMachine | undefined> => {
      const machine = (await this.#machines()).find((one) => one.name === name);
      return machine !== undefined && fits(machine) ? machine : undefined;
    };
    return until(ask, { what: `${name} ${what}`, withinMs: PATIENCE_MS, signal: this.#stage.signal });
  }

  /** Directories in which something of the fleet may run. */
  get directories(): readonly string[] {
    return [...this.#hosts.values()].map(({ directory }) => directory);
  }

  async down(): Promise<void> {
    const { page } = this.#stage;
    page.command('drover nuke --all');
    await this.drover('nuke', '--all');
    page.happened('office', 'has closed the sessions and removed the workers, whose work is merged');
    await this[Symbol.asyncDispose]();
    page.happened('office', 'all computers are down');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const running of [...this.#others.values(), ...this.#coordinators]) await running.end('SIGTERM');
    await this.#stack.disposeAsync();
    for (const name of this.#others.keys()) await endTmux(this.#homeOf(name));
  }

  async #connected(gateway: string, before: number): Promise<void> {
    const isConnected = async (): Promise<true | undefined> => (await this.#connections(gateway)) > before || undefined;
    const { signal } = this.#stage;
    await until(isConnected, { what: `the gateway ${gateway} is connected`, withinMs: PATIENCE_MS, signal });
  }

  /** Counts how often a gateway, in all its lives, has said that it is connected. */
  async #connections(gateway: string): Promise<number> {
    const lines = (await this.#others.get(gateway)?.log()) ?? [];
    return lines.filter((line) => line.includes('The gateway is connected')).length;
  }

  /** Environment of whoever types `drover` commands, at the coordinator that is left. */
  get env(): Stage['place']['env'] {
    return { ...this.#env, DROVER_URL: this.#at.url };
  }

  get #at(): Endpoint {
    const at = this.endpoints[this.#current];
    if (at === undefined) throw new DemoFailure('No coordinator is left');
    return at;
  }

  async #machines(): Promise<readonly ShownMachine[]> {
    const { url, token } = this.#at;
    const answer = await fetch(`${url}/trpc/machines.list`, { headers: { authorization: `Bearer ${token}` } });
    return z.object({ result: z.object({ data: z.array(shownMachine) }) }).parse(await answer.json()).result.data;
  }

  async #join(name: string, how: readonly string[], invite: readonly string[]): Promise<void> {
    const home = this.#homeOf(name);
    await mkdir(join(home, 'run'), { recursive: true, mode: 0o700 });
    await writeFile(join(home, '.gitconfig'), `[user]\nname = ${name}\nemail = ${name}@example.com\n`);
    const { token } = invitation.parse(JSON.parse(await this.drover(...invite)));
    const file = join(home, 'join-token');
    await writeFile(file, `${token}\n`, { mode: 0o600 });
    const urls = this.endpoints.map(({ url }) => url).join(',');
    await commands(this.#stage, () => this.#envOf(name))(...how, urls, '--token-file', file, '--name', name);
  }

  #begin(name: string, part: 'agent' | 'gateway'): Running {
    const running = background(this.#stage, name, { args: ['server', part], env: this.#envOf(name) });
    this.#others.set(name, running);
    return running;
  }

  #homeOf(name: string): string {
    return join(this.#stage.place.base, name);
  }

  /** A person's of their own, who has no Drover root. */
  #envOf(name: string): Stage['place']['env'] {
    const home = this.#homeOf(name);
    return {
      ...withoutRoot(this.#stage.place.env),
      HOME: home,
      DROVER_DATA_DIR: join(home, 'data'),
      XDG_RUNTIME_DIR: join(home, 'run'),
    };
  }
}

/** Removes the root from the environment: nobody in a team needs one, since projects are registered at the coordinator. */
function withoutRoot({ DROVER_ROOT: _root, ...env }: Stage['place']['env']): Stage['place']['env'] {
  return env;
}
