// Starts the processes of a team's Drover: two coordinators, a computer with an agent, two that only ssh reaches, and two gateways.
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MachineView } from '@drover/api';
import { startEmbeddedPostgres } from '@drover/embedded-postgres';
import { sshdProgram } from '@drover/host/testing';
import { Fleet as Client, type Endpoint } from '../../fleet/fleet.ts';
import { endTmux } from '../../fleet/place.ts';
import { until } from '../../fleet/wait.ts';
import { LoopbackHost } from '../../loopback-host.ts';
import { commands, Running, type Fleet, type Stage } from '../stage.ts';

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
    this.drover = commands(stage.place, () => this.env);
  }

  /** Starts two coordinators on a database of their own. */
  static async start(stage: Stage): Promise<Team> {
    const { place, page, stack } = stage;
    if (process.platform !== 'linux') throw new Error('This demo cuts connections by what only Linux tells of them');
    if (sshdProgram() === undefined)
      throw new Error(
        'This demo reaches its hosts through a real sshd, which is not installed. On Debian and Ubuntu: apt-get install openssh-server',
      );
    const dataDir = join(place.base, 'postgres');
    const server = stack.use(await startEmbeddedPostgres({ dataDir, log: () => {}, durability: 'none' }));
    const token = randomBytes(24).toString('base64url');
    const env = { ...withoutRoot(place.env), ...SETTINGS, DATABASE_URL: server.connectionString, DROVER_TOKEN: token };
    const coordinators: Running[] = [];
    const endpoints: Endpoint[] = [];
    const team = stack.use(new Team(stage, { endpoints, coordinators, env }));
    for (const name of ['coordinator-1', 'coordinator-2']) {
      page.command('drover server coordinator');
      const coordinator = new Running(stage, name, { args: ['server', 'coordinator', '--port', '0', '--json'], env });
      coordinators.push(coordinator);
      const { url = '', pid } = await coordinator.ready();
      page.happened('office', `${name} listens at ${url} (process ${pid})`);
      endpoints.push({ url, token });
    }
    return team;
  }

  /** The computer with an agent joins. */
  async joinDesk(): Promise<void> {
    const { page } = this.#stage;
    page.command('drover machine join …  and  drover server agent');
    await this.#join(DESK, ['machine', 'join'], ['machine', 'invite', '--json']);
    this.#begin(DESK, 'agent');
    await this.#coordinators[0]?.says('The machine \\"desk\\" connected');
    page.happened(DESK, 'is a machine of the fleet: an agent of Drover runs on it', { tone: 'good' });
  }

  /** A gateway joins, which speaks for hosts that ssh reaches. */
  async joinGateway(name: string): Promise<void> {
    const { page } = this.#stage;
    page.command('drover gateway join …  and  drover server gateway');
    await this.#join(name, ['gateway', 'join'], ['machine', 'invite', '--gateway', '--json']);
    this.#begin(name, 'gateway');
    await this.#others.get(name)?.says('The gateway is connected');
    page.happened(name, 'is a gateway: it holds the keys for ssh, and serves hosts with nothing of Drover on them');
  }

  /** A gateway that was killed is started again. */
  async restartGateway(name: string): Promise<void> {
    const before = await this.#others.get(name)?.times('The gateway is connected');
    this.#begin(name, 'gateway');
    await this.#others.get(name)?.says('The gateway is connected', before);
  }

  /** A host becomes a machine. */
  async addHost(name: string): Promise<void> {
    const { page } = this.#stage;
    const host = this.#stack.use(await LoopbackHost.start(name));
    this.#hosts.set(name, host);
    page.command(`drover machine add ${host.way[0] ?? ''} --name ${name} --host-key ${host.fingerprint.slice(0, 16)}…`);
    await this.drover('machine', 'add', ...host.way);
    page.happened(name, 'is a machine of the fleet: sshd, sh, git and tmux are all that it has', { tone: 'good' });
  }

  /** Cuts the link to a host. Returns once its gateway has noticed, and has reached it again. */
  async cut(name: string, gateway: string): Promise<void> {
    const lost = `The machine "${name}" is lost`;
    const server = this.#others.get(gateway);
    const before = (await server?.times(lost)) ?? 0;
    await this.#hosts.get(name)?.cut();
    await server?.says(lost, before);
    const noticedAt = Date.now();
    // The coordinator's knowledge is old until the machine is heard again.
    const isBack = ({ ssh, lastSeenAt }: MachineView): boolean =>
      ssh?.state === 'connected' && (lastSeenAt ?? 0) > noticedAt;
    await this.machine(name, 'is reached again', isBack);
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
  async machine(name: string, what: string, fits: (machine: MachineView) => boolean): Promise<MachineView> {
    const client = new Client(
      () => this.#at,
      () => {},
    );
    const ask = async (): Promise<MachineView | undefined> =>
      (await client.machines()).find((one) => one.name === name && fits(one));
    return until(`${name}: ${what}`, ask, PATIENCE_MS);
  }

  /** Directory of Drover's state on a host. */
  stateOf(name: string): string {
    return join(this.#hosts.get(name)?.home ?? '', '.local/state/drover');
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

  /** Environment of whoever types `drover` commands, at the coordinator that is left. */
  get env(): Stage['place']['env'] {
    return { ...this.#env, DROVER_URL: this.#at.url };
  }

  get #at(): Endpoint {
    const at = this.endpoints[this.#current];
    if (at === undefined) throw new Error('No coordinator is left');
    return at;
  }

  async #join(name: string, how: readonly string[], invite: readonly string[]): Promise<void> {
    const home = this.#homeOf(name);
    await mkdir(join(home, 'run'), { recursive: true, mode: 0o700 });
    await writeFile(join(home, '.gitconfig'), `[user]\nname = ${name}\nemail = ${name}@example.com\n`);
    const { token } = JSON.parse(await this.drover(...invite)) as { readonly token: string };
    const file = join(home, 'join-token');
    await writeFile(file, `${token}\n`, { mode: 0o600 });
    const urls = this.endpoints.map(({ url }) => url).join(',');
    await commands(this.#stage.place, () => this.#envOf(name))(...how, urls, '--token-file', file, '--name', name);
  }

  #begin(name: string, part: 'agent' | 'gateway'): void {
    this.#others.set(name, new Running(this.#stage, name, { args: ['server', part], env: this.#envOf(name) }));
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
