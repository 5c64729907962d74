/** Formats machines. */
import type { MachineView, SshView } from '@drover/api';
import { clockOffsetText } from '@drover/protocol';
import { ago, clockTime, paint, plain, table } from '../../terminal/style.ts';
import type { Page } from '../../program/answer.ts';
import type { Listing } from '../../terminal/lists/listing.ts';

/** The list of `drover machine`. */
export const MACHINES: Listing<MachineView> = {
  empty: 'No machine has joined: run "drover up", or "drover machine invite" for another machine.',
  nameOf: ({ name }) => name,
  columns: [
    { name: 'NAME', of: ({ name }) => plain(name) },
    {
      name: 'STATE',
      of: ({ state }, { terminal }) => paint(state, state === 'connected' ? 'green' : 'red', terminal.colours),
    },
    {
      name: 'WORKERS',
      of: ({ workers, capacity }) => (capacity === null ? `${workers}` : `${workers} of ${capacity}`),
    },
    { name: 'SEEN', of: ({ lastSeenAt }, { now }) => (lastSeenAt === null ? 'never' : ago(now - lastSeenAt)) },
    { name: 'LABELS', of: ({ labels }) => labels.map(plain).join(',') },
    { name: 'REACHED BY', isWide: true, of: ({ dialledUrl }) => plain(dialledUrl ?? '') },
    { name: 'NOTES', of: notesOf },
  ],
};

function notesOf(machine: MachineView, { terminal }: Page): string {
  const { warnings, rotateSince } = machine;
  const troubles = [...sshLines(machine), ...warnings.map(plain)];
  return [
    ...[cordonOf(machine)].filter((words) => words !== ''),
    ...(rotateSince === null ? [] : ['waits for its new key']),
    ...troubles.map((words) => paint(words, 'yellow', terminal.colours)),
    ...factsOf(machine),
  ].join(', ');
}

/** The page of `drover machine show`. */
export function machineText(machine: MachineView, { now, terminal }: Page): string {
  const { name, state, workers, capacity, labels, address, lastSeenAt, dialledUrl, condition, warnings } = machine;
  const seen = lastSeenAt === null ? 'never seen' : `seen ${ago(now - lastSeenAt)}`;
  const cordon = cordonOf(machine);
  return [
    `${plain(name)}: ${paint(state, state === 'connected' ? 'green' : 'red', terminal.colours)}, ${seen}`,
    ...sshLines(machine).map((words) => paint(`it ${words}`, 'yellow', terminal.colours)),
    ...warnings.map((words) => paint(`it ${plain(words)}`, 'yellow', terminal.colours)),
    ...(cordon === '' ? [] : [cordon]),
    capacity === null ? `workers: ${workers}` : `workers: ${workers} of ${capacity}`,
    `labels: ${labels.length === 0 ? 'none' : labels.map(plain).join(', ')}`,
    ...(address === null ? [] : [`ssh: ${plain(address)}`]),
    ...overSsh(machine),
    ...(dialledUrl === null ? [] : [`reaches the coordinator by ${plain(dialledUrl)}`]),
    factsOf(machine).join(', '),
    ...(condition === null
      ? ['it has not reported its load yet: its agent has just started']
      : [
          '',
          `as reported ${ago(now - condition.at)}:`,
          ...conditionLines(condition),
          '',
          programsTable(condition, terminal.columns),
        ]),
  ].join('\n');
}

/** Describes the trouble of a machine over SSH, in words that follow its name. */
function sshLines({ ssh }: MachineView): readonly string[] {
  return ssh === null || ssh.why === null ? [] : [plain(ssh.why)];
}

/** Describes the connection of a machine over SSH, its gateway, and its confirmed keys. */
function overSsh({ ssh }: MachineView): readonly string[] {
  if (ssh === null) return [];
  const { destination, port, identity, jump, carrier } = ssh.connection;
  const by = ssh.gateway === null ? 'no gateway serves it' : `served by the gateway ${plain(ssh.gateway)}`;
  const way = [
    port === null ? '' : ` port ${port}`,
    identity === null ? '' : `, with the key ${plain(identity)}`,
    jump === null ? '' : `, through ${plain(jump)}`,
    carrier === null ? '' : `, by ${carrier}`,
  ];
  return [
    `over SSH to ${plain(destination)}${way.join('')}; ${by}${ssh.onlyGateway === null ? '' : ` (only ${plain(ssh.onlyGateway)} may)`}`,
    `host keys: ${ssh.pinned.length === 0 ? 'none confirmed yet' : ssh.pinned.join(', ')}`,
    ...ssh.findings.filter(({ level }) => level !== 'ok').map(tellFinding),
  ];
}

/** Formats a finding on a host, its remedy, and the command for it. */
export function tellFinding({ says, help, command }: SshView['findings'][number]): string {
  const act = [help, command].filter((words) => words !== null).map(plain);
  return act.length === 0 ? plain(says) : `${plain(says)}. ${act.join(': ')}`;
}

type Condition = NonNullable<MachineView['condition']>;

function conditionLines({ processors, load, memory, disk, clockOffsetMs }: Condition): readonly string[] {
  return [
    `load: ${load.toFixed(1)} on ${processors} processor(s)`,
    `memory: ${free(memory)}`,
    `disk: ${disk === null ? 'could not be read' : free(disk)}`,
    `clock: ${clockOffsetText(clockOffsetMs)}`,
  ];
}

function free({ freeBytes, bytes }: Condition['memory']): string {
  return `${gib(freeBytes)} of ${gib(bytes)} GiB are free`;
}

function gib(bytes: number): string {
  return (bytes / 1024 ** 3).toFixed(1);
}

function programsTable({ programs }: Condition, columns: number): string {
  const rows = programs.map(({ of, name, state, version }) => [
    of === 'tool' ? plain(name) : `profile ${plain(name)}`,
    state === 'present' ? plain(version ?? 'is installed; its version is not known') : ABSENT[state],
  ]);
  return table(rows, columns);
}

const ABSENT = { missing: 'is missing', forbidden: 'is not allowed by its owner' } as const;

/** Describes the cordon, and the obstacles of the workers that are to leave. */
function cordonOf({ cordon }: MachineView): string {
  if (cordon === null) return '';
  if (cordon.drain === null) return `cordoned by ${plain(cordon.by)}`;
  const { doneAt, deadline, waits } = cordon.drain;
  const left = Object.entries(waits).map(([worker, why]) => `${plain(worker)} ${plain(why)}`);
  const by = plain(cordon.by);
  const state = doneAt === null ? `being drained by ${by} ${deadlineText(deadline)}` : `drained by ${by}`;
  return left.length === 0 ? state : `${state}: ${left.join('; ')}`;
}

/** Describes the time from which workers leave in the middle of their tasks, in words that follow a drain. */
export function deadlineText(deadline: number | null): string {
  if (deadline === null) return 'without a deadline';
  const [, month, day] = new Date(deadline).toDateString().split(' ');
  return `with the deadline ${clockTime(deadline)} of ${Number(day)} ${month}`;
}

/** Characters of a fact that are shown: a machine can report any text, and others must stay visible beside it. */
const FACT_CHARS_MAX = 100;

function factsOf({ facts }: MachineView): readonly string[] {
  return Object.entries(facts ?? {}).map(([name, value]) => {
    const shown = value.length > FACT_CHARS_MAX ? `${value.slice(0, FACT_CHARS_MAX)}…` : value;
    return `${name} ${plain(shown)}`;
  });
}
