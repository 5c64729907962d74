/** Two coordinators on one Postgres server, and a machine agent that knows both by networks that can be cut. */
import { Network } from '@drover/testkit/network';
import { Fleet } from '../../../../../tools/fleet/fleet.ts';
import { DroverProcess } from '../../../../../tools/fleet/process.ts';
import { freePort } from '../../../../../tools/fleet/place.ts';
import { Site } from '../../../../../tools/fleet/site.ts';
import { until } from '../../../../../tools/fleet/wait.ts';
import { RestartableServer } from './server.ts';

/** A coordinator, with its address for people and for the machine. */
export interface Replica {
  readonly process: DroverProcess;
  readonly network: Network;
  readonly url: string;
}

export interface ReplicatedDrover extends AsyncDisposable {
  readonly site: Site;
  readonly server: RestartableServer;
  readonly replicas: readonly [Replica, Replica];
  /** People who talk to the first or the second coordinator. */
  readonly people: readonly [Fleet, Fleet];
  /** @throws if a process of Drover has ended. */
  expectAlive(): void;
}

const TOKEN = 'replicas-test-token-of-more-than-twenty-characters';
/** Milliseconds until the machine must have said hello to a replica: the others are tried first, with backoff. */
const MOVED_MS = 60_000;

export async function startReplicated(): Promise<ReplicatedDrover> {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(await RestartableServer.start());
  const site = stack.use(new Site({ DATABASE_URL: server.url, DROVER_TOKEN: TOKEN }));
  const replicas = [await startReplica(site, stack), await startReplica(site, stack)] as const;
  const processes = replicas.map(({ process }) => process);
  const expectAlive = (): void => processes.forEach((process) => process.expectAlive());
  const peopleAt = ({ url }: Replica): Fleet => new Fleet(() => ({ url, token: TOKEN }), expectAlive);
  const people = [peopleAt(replicas[0]), peopleAt(replicas[1])] as const;
  const { token } = await people[0].invite();
  const urls = replicas.map(({ network }) => network.url).join(',');
  const agent = stack.use(new DroverProcess(site.place, ['server', 'agent', '--url', urls, '--join', token]));
  processes.push(agent);
  agent.start();
  await agent.ready();
  await people[0].connected();
  const owned = stack.move();
  return { site, server, replicas, people, expectAlive, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Counts the machine's hellos to a coordinator, by that coordinator's own log. */
export function hellosTo({ process }: Replica): number {
  return [...process.said.join('\n').matchAll(/The machine .{1,40} connected/gu)].length;
}

/** Cuts the machine's connection to one coordinator and waits until it has said hello to the other. */
export async function moveMachine(from: Replica, to: Replica): Promise<void> {
  const before = hellosTo(to);
  from.network.cut();
  const ask = (): true | undefined => (hellosTo(to) > before ? true : undefined);
  await until(() => `the machine to move:\n${to.process.tail(20)}`, ask, MOVED_MS);
}

async function startReplica(site: Site, stack: AsyncDisposableStack): Promise<Replica> {
  const port = await freePort();
  const process = stack.use(new DroverProcess(site.place, ['server', 'coordinator', '--port', String(port)]));
  process.start();
  await process.ready();
  return { process, network: stack.use(await Network.to(port)), url: `http://127.0.0.1:${port}` };
}
