/** `drover up`: runs coordinator, machine agent, gateway and database in one process, for one machine and those that it reaches over SSH. */
import { ask } from '../../client/client.ts';
import { untilSignalled } from '../../processes/until-signalled.ts';
import { readEndpoint, removeEndpoint, writeEndpoint } from '../../client/endpoint.ts';
import { CommandError } from '../../exit-codes.ts';
import { defined } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { count, enabled } from '../../program/spec.ts';
import { compileWhenBusy } from '../../processes/busy-compiler.ts';
import { handleStrays } from '../../processes/strays.ts';
import { many } from '../../terminal/style.ts';
import { narrate } from './narrate.ts';
import type { Surroundings } from '../../surroundings.ts';
import { openProgress } from '../../terminal/progress.ts';
import { systemAlarm } from '../../system-clock.ts';
import { portsOf, rememberPort } from '../../processes/port-file.ts';
import { claimUp, releaseUp } from '../../processes/up-file.ts';

const LOOPBACK = '127.0.0.1';

/** Milliseconds until a retry of a chat that is off because its token was refused. */
const CHAT_RETRY_MS = 300_000;

/** Milliseconds to wait for the own machine to connect, which takes a few, and a second on a busy machine. */
const CONNECTED_WITHIN_MS = 10_000;

export const command = defineCommand({
  about: 'run Drover here until Ctrl-C',
  more: `It runs the coordinator, the machine agent and the database, and prints what
needs you. DROVER_LOG=info prints its whole log, which is also in the file
logs/up.log of the directory that "drover doctor" names.`,
  example: 'drover up\ndrover up --port 0\nDATABASE_URL=postgres://me@db/drover drover up',
  isServer: true,
  options: {
    patrol: enabled('do not check workers once a minute'),
    gateway: enabled('serve no machines over SSH from here; use "drover server gateway" for them'),
    port: count('port', 'port to listen on, on loopback only; 0 takes any free port', { min: 0, max: 65_535 }),
  },
  async run(surroundings, { options: { patrol, gateway, port } }) {
    const { systemIds } = await import('@drover/coordinator');
    const { composeAgent } = await import('../../compose/agent.ts');
    const { composeGateway } = await import('../../compose/gateway.ts');
    const { composeBot, readChats } = await import('../../compose/chats.ts');
    const { buildDashboard } = await import('../../processes/dashboard.ts');
    const { composeCoordinator } = await import('../../compose/coordinator.ts');
    const { needDirectories, needPrograms } = await import('../../compose/programs.ts');
    const { openRedaction } = await import('../../compose/redaction.ts');
    const { readSettings } = await import('../../compose/settings.ts');
    const { terminal } = surroundings;
    const settings = await readSettings(surroundings, { 'coordinator.port': port });
    const { config, paths } = settings;
    await refuseSecond(surroundings, paths.dataDir);
    await using stack = new AsyncDisposableStack();
    await claimUp(paths.dataDir, process.pid);
    stack.defer(() => releaseUp(paths.dataDir, process.pid)); // last of all, when everything is closed
    await needPrograms(surroundings);
    needDirectories([paths.root, paths.dataDir]);
    const ending = untilSignalled();
    let doing = 'Starting';
    const progress = stack.use(openProgress(surroundings, () => doing));
    // People act on warnings. All other lines are in the file, and on the terminal where somebody asks for them.
    const isAsked = terminal.json || settings.isSet('coordinator.log_level');
    const shown = isAsked ? undefined : ({ least: 'warn', below: (message: string) => (doing = message) } as const);
    const { log, keep, redactor } = stack.use(
      await openRedaction(surroundings, settings, {
        level: config.coordinator.log_level,
        file: 'up',
        ...defined({ shown }),
      }),
    );
    handleStrays({ log, ending });
    compileWhenBusy();
    const token = systemIds.secret();
    redactor.add(token);
    const building = buildDashboard(surroundings, { log, signal: ending.signal });
    stack.defer(() => building);
    const chats = await readChats(surroundings, settings, { log, redactor });
    const isSet = settings.isSet('coordinator.port');
    const [firstPort, ...otherPorts] = await portsOf(paths.dataDir, { port: config.coordinator.port, isSet });
    const botSecret = systemIds.secret();
    redactor.add(botSecret);
    const coordinator = stack.use(
      await composeCoordinator(surroundings, settings, {
        token,
        tokenIsShared: false,
        host: LOOPBACK,
        port: firstPort,
        otherPorts,
        patrol,
        log,
        keep,
        redactor,
        fatal: ending.fail,
        stop: ending.end,
        ...(chats.names.length > 0 && {
          bot: { secret: botSecret, role: config.chat.role, channels: chats.names },
        }),
      }),
    );
    await writeEndpoint(paths.dataDir, {
      url: coordinator.url,
      token,
      coordinator: coordinator.identity,
      pid: process.pid,
    });
    stack.defer(() => removeEndpoint(paths.dataDir, process.pid));
    await rememberPort(paths.dataDir, { taken: coordinator.port, isSet });
    const joinToken = await coordinator.invite();
    const connected = Promise.withResolvers<void>();
    stack.use(
      await composeAgent(surroundings, settings, {
        url: coordinator.url,
        joinToken,
        name: undefined,
        onConnected: connected.resolve,
        log,
        redactor,
        signal: ending.signal,
      }),
    );
    if (gateway)
      stack.use(
        await composeGateway(surroundings, settings, {
          url: coordinator.url,
          joinToken: await coordinator.inviteGateway(),
          name: undefined,
          log,
          redactor,
          signal: ending.signal,
        }),
      );
    const bot = { url: coordinator.url, token: botSecret, log, holder: surroundings.uuid(), retryMs: CHAT_RETRY_MS };
    if (chats.names.length > 0) stack.use(composeBot(chats, bot));
    // Asks the coordinator that the endpoint names, whatever the variables say.
    const here: Surroundings = {
      ...surroundings,
      environment: { ...surroundings.environment, url: undefined, token: undefined },
    };
    const workers = await ask(here, (client) => client.fleet.up.mutate({ requestId: here.uuid() }));
    // The next command in the output needs this machine. If the machine cannot connect, the log gives the reason, and the rest of the fleet is up.
    systemAlarm(CONNECTED_WITHIN_MS, connected.resolve);
    await Promise.race([connected.promise, ending.asked]);
    progress[Symbol.dispose]();
    if (terminal.json) terminal.out(JSON.stringify({ url: coordinator.url, pid: process.pid, root: paths.root }));
    else terminal.out(greeting(coordinator.url, workers.length));
    const { sound_on_review: bellOnReview, desktop_notices: notices } = config.defaults;
    const telling = narrate(here, { calls: { bellOnReview, notices }, signal: ending.signal });
    if ((await ending.asked) === 'signal')
      terminal.err(
        'Stopping. Agents keep working in their sessions, and "drover up" finds them again. "drover down" closes them.',
      );
    await telling;
  },
});

/** Refuses a second `drover up`. The locks of the database and the agent refuse it, too; here the common case gets its own message. */
async function refuseSecond({ http }: Surroundings, dataDir: string): Promise<void> {
  const endpoint = await readEndpoint(dataDir);
  if (endpoint === null || endpoint.pid === process.pid) return;
  try {
    process.kill(endpoint.pid, 0);
    const answer = await http(`${endpoint.url}/healthz`, { timeoutMs: 2_000 });
    if (!answer.ok) return;
  } catch {
    return;
  }
  throw new CommandError(
    'refused',
    `Drover is already up for this root (process ${endpoint.pid}, ${endpoint.url}): use it, or stop it with "drover down"`,
  );
}

function greeting(url: string, workers: number): string {
  const next =
    workers === 0
      ? 'Next, in another terminal: drover add adam'
      : `Starting ${many(workers, 'worker')}; "drover status" shows them.`;
  return `Drover is up at ${url}. Ctrl-C stops it, and agents keep working.\n${next}`;
}
