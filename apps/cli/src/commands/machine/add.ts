/** `drover machine add`: makes a host with sshd, sh, git and tmux a machine of the fleet. Nothing is installed on it. */
import type { MachineView } from '@drover/api';
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { answer, defined } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { choice, count, list, required, text } from '../../program/spec.ts';
import { plain } from '../../terminal/style.ts';
import type { Surroundings } from '../../surroundings.ts';
import { findMachine } from './by-name.ts';
import { confirmKey } from './confirm-key.ts';
import { sayWhatLasts } from '../../terminal/lasting.ts';
import { machineText, tellFinding } from './text.ts';
import { fingerprintIn, hostOf } from './typed.ts';

/** Milliseconds between two polls of the machine. */
const EVERY_MS = 250;

export const command = defineCommand({
  about: 'add a host over ssh as a machine: it needs sshd, sh, git and tmux, but not Drover',
  example:
    'drover machine add ada@build-3.example.com\ndrover machine add build --port 2222 --identity ~/.ssh/build --name build-3\ndrover machine add ada@10.0.0.5 --host-key SHA256:… --gateway office',
  more: `The name is looked up as ssh does where the gateway runs, with its configuration
and known hosts; "drover up" has a gateway. An unknown key is shown and
confirmed first. What the host lacks is named with the command that installs it.
Run it again to go on.`,
  args: { destination: required('user@host, a host, or a name of the ssh configuration where the gateway runs') },
  options: {
    port: count('port', 'the port of its sshd', { min: 1, max: 65_535 }),
    identity: text('file', 'a private key where the gateway runs'),
    jump: text('user@host', 'a jump host, or several separated by commas'),
    carrier: choice('carrier', 'auto, ssh2 (a library) or openssh (the client of the system)', [
      'auto',
      'ssh2',
      'openssh',
    ]),
    gateway: text('name', 'the only gateway that may serve it (default: any)'),
    hostKey: text('fingerprint', 'the fingerprint of its key, as "ssh-keygen -lf" prints it on the host'),
    name: text('name', 'its name (default: the host)'),
    label: list('label,…', 'labels that workers can ask for'),
    capacity: count('number', 'the maximum number of workers on it', { min: 0, max: 10_000 }),
    timeout: count('seconds', 'how long to wait for its connection', { min: 1, max: 3_600, default: 60 }),
  },
  async run(surroundings, { args: { destination }, options }) {
    const { port, identity, jump, carrier, gateway, label, capacity, timeout } = options;
    const hostKey = options.hostKey === undefined ? undefined : fingerprintIn(options.hostKey);
    const host = hostOf(destination);
    const name = options.name ?? host;
    const connection = {
      destination,
      ...defined({ port, identity, jump, carrier: carrier === 'auto' ? undefined : carrier }),
    };
    const input = { name, connection, ...defined({ gateway, hostKey, labels: label, capacity }) };
    await ask(surroundings, (client) => client.machines.add.mutate(input));
    const machine = await untilMachine(surroundings, {
      name,
      typed: wordsOf(destination, options),
      timeoutMs: timeout * 1_000,
    });
    if (surroundings.terminal.json) return answer(surroundings, machine, machineText);
    surroundings.terminal.out(
      `"${plain(name)}" is now a machine of the fleet: drover add NAME --machine ${plain(name)}`,
    );
    return undefined;
  },
});

interface Waited {
  readonly name: string;
  /** The typed command, without a fingerprint. */
  readonly typed: string;
  readonly timeoutMs: number;
}

/** Waits until the machine is connected; asks about its key meanwhile. @throws {CommandError} with the trouble. */
async function untilMachine(surroundings: Surroundings, { name, typed, timeoutMs }: Waited): Promise<MachineView> {
  const { now, sleep, terminal } = surroundings;
  let end = now() + timeoutMs;
  const tell = sayWhatLasts((why) => terminal.err(`"${plain(name)}" ${plain(why)} …`), now);
  for (;;) {
    const machine = await findMachine(surroundings, name);
    const { ssh } = machine;
    if (ssh === null) throw new CommandError('refused', `"${plain(name)}" is not a machine over SSH`);
    if (ssh.state === 'connected' && machine.state === 'connected') return machine;
    if (ssh.fingerprint !== null) {
      await confirmKey(surroundings, machine, `${confirming(machine, typed)} --host-key ${ssh.fingerprint}`);
      end = now() + timeoutMs;
    } else if (ssh.state === 'lacks') throw new CommandError('environment', lacking(machine, typed));
    const why = ssh.why ?? '';
    if (ssh.state === 'lost' && (now() > end || isForPerson(machine)))
      throw new CommandError(
        'environment',
        `"${plain(name)}" ${plain(why)}. Drover retries; to give up: drover machine remove ${plain(name)}`,
      );
    if (now() > end)
      throw new CommandError(
        'environment',
        `"${plain(name)}" ${why === '' ? 'is not connected yet' : plain(why)}. Run the command again to continue`,
      );
    tell(ssh.state === 'waiting' || ssh.state === 'lost' ? why : null);
    await sleep(EVERY_MS);
  }
}

/** Returns the command that confirms the fingerprint: adding the machine again does not change its confirmed key. */
export function confirming({ name, ssh }: Pick<MachineView, 'name' | 'ssh'>, typed: string): string {
  return (ssh?.pinned ?? []).length === 0 ? typed : `drover machine trust ${plain(name)}`;
}

/** Tells whether only a person can help: a connection that was not reached may be reached soon; other reasons stay. */
function isForPerson({ ssh }: MachineView): boolean {
  return ssh?.state === 'lost' && ssh.isFinal;
}

/** Lists missing programs, each with the command that installs it. */
function lacking({ name, ssh }: MachineView, typed: string): string {
  const missing = (ssh?.findings ?? []).filter(({ level }) => level === 'problem');
  const lines = missing.map((finding) => `  ${tellFinding(finding)}`);
  return [`"${plain(name)}" lacks what a machine needs:`, ...lines, `Then run again: ${typed}`].join('\n');
}

/** Formats the command as a person would type it, without a fingerprint. */
function wordsOf(
  destination: string,
  options: Readonly<Record<string, string | number | readonly string[] | undefined>>,
): string {
  const given = Object.entries(options).flatMap(([name, value]) =>
    value === undefined || name === 'hostKey' || value === 'auto' || (name === 'timeout' && value === 60)
      ? []
      : [`--${name} ${String(value)}`],
  );
  return ['drover machine add', destination, ...given].join(' ');
}
