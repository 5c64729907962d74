/** Terminals through real coordinators on a real Postgres: permission to open one, limits of messages, and their way. */
import type { CommandEnvelope } from '@drover/protocol';
import { TERMINAL_TICKET_HEADER } from '@drover/protocol';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { call, callAs, newId, obedient, replica, scene, SECRET, until, type Scene } from '../support/coordinator.ts';
import type { Coordinator } from '../../src/index.ts';

let stand: Scene;
/** A second replica: the machine is connected to the first. */
let other: Coordinator;
/** Replica at which the machine dials in; null: it says that it cannot. */
let dialsAt: string | null;
/** Ends of the machine, in the order of their arrival. */
const dialled: Peer[] = [];

beforeAll(async () => {
  stand = await scene();
  other = await replica(stand.databaseUrl, { project: null });
  const { coordinator, machine } = stand;
  machine.script = (command) => (isOpening(command) ? [] : obedient(command));
  await call(coordinator.url, 'workers.add', { requestId: newId(), name: 'adam' });
  await until(coordinator.url, 'adam', 'idle');
});

afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await stand[Symbol.asyncDispose]();
});

/** Waits until `read` returns a value. */
function soon<T>(read: () => T | undefined | null | false): Promise<T> {
  const found = (): T => {
    const value = read();
    if (value === undefined || value === null || value === false) throw new Error('not yet');
    return value;
  };
  return vi.waitFor(found, { timeout: 30_000, interval: 10 });
}

/** An end of a connection. */
class Peer {
  readonly socket: WebSocket;
  readonly heard: string[] = [];
  closed: number | null = null;

  constructor(url: string, headers: Readonly<Record<string, string>>) {
    this.socket = new WebSocket(url.replace('http', 'ws'), { headers });
    this.socket.on('message', (data) => this.heard.push(String(data)));
    this.socket.on('close', (code) => (this.closed = code));
    this.socket.on('error', () => {});
  }

  /** Returns the status with which an upgrade was refused; 101 when it was not. */
  status(): Promise<number> {
    return new Promise((resolve) => {
      if (this.socket.readyState === this.socket.OPEN) resolve(101);
      this.socket.on('open', () => resolve(101));
      this.socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    });
  }

  say(message: object): void {
    this.socket.send(JSON.stringify(message));
  }
}

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

async function ticketOf(kind: 'type' | 'watch', { url = stand.coordinator.url, token = SECRET } = {}): Promise<string> {
  const { ticket } = (await callAs({ url, token }, `terminals.${kind}`, { name: 'adam' })) as {
    readonly ticket: string;
  };
  return ticket;
}

function personAt(url: string, ticket: string, token = SECRET): Peer {
  return new Peer(`${url}/terminal`, { ...bearer(token), [TERMINAL_TICKET_HEADER]: ticket });
}

function isOpening({ body, id }: CommandEnvelope): boolean {
  if (body.kind !== 'query' || body.query.kind !== 'open-terminal') return false;
  const { machine } = stand;
  if (dialsAt !== null) dialled.push(machineAt(dialsAt, body.query.terminal));
  const result =
    dialsAt === null
      ? ({ kind: 'failed', code: 'no-socket', message: 'its machine has no WebSocket' } as const)
      : ({ kind: 'terminal-opened', incarnation: '1.1.%1.1' } as const);
  machine.observe({ kind: 'answer', commandId: id, result });
  return true;
}

function machineAt(url: string, terminal: string, token = stand.machine.accessToken): Peer {
  return new Peer(`${url}/agent/terminal?terminal=${terminal}`, bearer(token));
}

/** Opens a person's end at the first replica, and the machine's at another one or the same. */
async function open(kind: 'type' | 'watch', at: string): Promise<{ person: Peer; machine: Peer }> {
  dialsAt = at;
  const before = dialled.length;
  const person = personAt(stand.coordinator.url, await ticketOf(kind));
  expect(await person.status()).toBe(101);
  const machine = await soon(() => dialled[before]);
  expect(await machine.status()).toBe(101);
  machine.say({ kind: 'alive' });
  await soon(() => person.heard.length > 0);
  return { person, machine };
}

/** A text that takes many notifications, with characters that must not be cut in half. */
const LONG = '漢👍x'.repeat(20_000);

test.each([
  ['the same replica', () => stand.coordinator.url],
  ['another replica', () => other.url],
])(
  'given a machine at %s, when both ends talk, then each message arrives once, whole and in order, and an end is told',
  async (_, at) => {
    const { person, machine } = await open('type', at());

    for (let frame = 1; frame <= 20; frame += 1) {
      const changed = [[0, frame % 5 === 0 ? LONG : `row ${frame}`]];
      machine.say({ kind: 'frame', frame, columns: 80, rows: 1, changed, cursor: null });
      person.say({ kind: 'keys', bytes: Buffer.from(`key ${frame}`).toString('base64') });
    }
    await soon(() => person.heard.length === 21 && machine.heard.length === 20);

    const frames = person.heard.slice(1).map((text) => JSON.parse(text));
    expect(frames.map(({ frame }) => frame)).toEqual(Array.from({ length: 20 }, (_none, index) => index + 1));
    expect(frames[4].changed[0][1]).toBe(LONG);
    const typed = machine.heard.map((text) => Buffer.from(JSON.parse(text).bytes, 'base64').toString());
    expect(typed).toEqual(Array.from({ length: 20 }, (_none, index) => `key ${index + 1}`));
    machine.socket.close();
    await soon(() => person.closed);
    expect(JSON.parse(person.heard.at(-1) ?? '')).toMatchObject({ kind: 'ended', code: 'lost' });
  },
);

test('given a person at a replica, when they leave, then the machine at the other one hears of it', async () => {
  const { person, machine } = await open('watch', other.url);

  person.socket.close();

  await soon(() => machine.closed);
});

test('given a machine that cannot connect, when a person opens a terminal, then they are told why', async () => {
  dialsAt = null;
  const person = personAt(stand.coordinator.url, await ticketOf('type'));

  await soon(() => person.closed);

  expect(person.heard.map((text) => JSON.parse(text))).toEqual([
    { kind: 'ended', code: 'no-socket', message: 'its machine has no WebSocket' },
  ]);
});

test('given strangers and used tickets, when they knock, then no socket is opened for them', async () => {
  const { coordinator, machine } = stand;
  const { url } = coordinator;
  dialsAt = null;
  const made = (await call(url, 'tokens.create', { name: 'eve', role: 'operator' })) as { readonly secret: string };
  const ticket = await ticketOf('type');

  expect(await new Peer(`${url}/terminal`, {}).status()).toBe(401);
  expect(await new Peer(`${url}/terminal`, { [TERMINAL_TICKET_HEADER]: ticket }).status()).toBe(401);
  expect(await new Peer(`${url}/terminal`, bearer(SECRET)).status()).toBe(403);
  expect(await personAt(url, 'guessed').status()).toBe(403);
  expect(await personAt(url, ticket, made.secret).status()).toBe(403);
  expect(await personAt(url, ticket, machine.accessToken).status()).toBe(401);
  const first = personAt(url, ticket);
  expect(await first.status()).toBe(101);
  expect(await personAt(other.url, ticket).status()).toBe(403);
  expect(await machineAt(url, newId()).status()).toBe(404);
  expect(await machineAt(url, 'x; drop').status()).toBe(404);
  expect(await machineAt(url, newId(), SECRET).status()).toBe(401);
  // Otherwise its machine may hear of the terminal only when the next one is open, and connect for that one.
  await soon(() => first.closed);
});

test('given a terminal that a machine has taken, when it is taken again, or by another machine, then nobody waits there', async () => {
  const { machine } = await open('watch', stand.coordinator.url);
  const terminal = new URL(machine.socket.url).searchParams.get('terminal') ?? '';

  expect(await machineAt(stand.coordinator.url, terminal).status()).toBe(404);
  expect(await machineAt(other.url, terminal).status()).toBe(404);
  machine.socket.close();
});

test.each([
  ['keys', { kind: 'keys', bytes: 'YQ==' }],
  ['a paste', { kind: 'paste', text: 'x' }],
  ['a size', { kind: 'size', columns: 80, rows: 24 }],
])('given a person who watches, when they send %s, then it ends, and the machine hears nothing', async (_, message) => {
  const { person, machine } = await open('watch', stand.coordinator.url);

  person.say(message);

  await soon(() => machine.closed !== null && person.closed !== null);
  expect(JSON.parse(person.heard.at(-1) ?? '')).toMatchObject({ kind: 'ended', code: 'watches' });
  expect(machine.heard).toEqual([]);
});

test('given what no program of ours sends, when it comes in, then the terminal ends', async () => {
  const { url } = stand.coordinator;
  const garbage = await open('type', url);
  garbage.person.socket.send('{"kind":"keys","bytes":7}');
  const huge = await open('type', url);
  huge.person.socket.send('x'.repeat(100_000));
  const hugeScreen = await open('type', url);
  hugeScreen.machine.socket.send('x'.repeat(2_000_000));
  const fast = await open('type', url);
  for (let sent = 0; sent < 2_000; sent += 1) fast.person.say({ kind: 'alive' });

  for (const { person, machine } of [garbage, huge, hugeScreen, fast])
    await soon(() => machine.closed !== null && person.closed !== null);

  expect(JSON.parse(garbage.person.heard.at(-1) ?? '')).toMatchObject({ code: 'bad-message' });
  expect(huge.person.closed).toBe(1009);
  expect(hugeScreen.machine.closed).toBe(1009);
  expect(JSON.parse(fast.person.heard.at(-1) ?? '')).toMatchObject({ code: 'too-fast' });
});

test('given roles, when terminals are asked for, then viewers watch and operators type, and each is in the audit without keys', async () => {
  const { url } = stand.coordinator;
  const made = (await call(url, 'tokens.create', { name: 'vera', role: 'viewer' })) as { readonly secret: string };

  await expect(ticketOf('type', { token: made.secret })).rejects.toThrow('This needs the role operator');
  await expect(ticketOf('watch', { token: made.secret })).resolves.toEqual(expect.any(String));

  const audit = JSON.stringify(await call(url, 'audit.list', { limit: 100 }));
  expect(audit).toContain('terminal-watched');
  expect(audit).toContain('terminal-attached');
  expect(audit).not.toContain('YQ==');
});

test('given an open terminal, when its token is revoked, then it ends with a last word, and the machine hears of it', async () => {
  const { url } = stand.coordinator;
  const made = (await call(url, 'tokens.create', { name: 'rose', role: 'operator' })) as { readonly secret: string };
  dialsAt = url;
  const before = dialled.length;
  const person = personAt(url, await ticketOf('type', { token: made.secret }), made.secret);
  const machine = await soon(() => dialled[before]);

  await call(url, 'tokens.revoke', { name: 'rose', own: false, force: false });

  await soon(() => machine.closed !== null && person.closed !== null);
  expect(JSON.parse(person.heard.at(-1) ?? '')).toMatchObject({ kind: 'ended', code: 'token-over' });
});

test('given four windows of nine panes, when all ask for their tickets at once, then each gets one, and one more is refused', async () => {
  const { url } = stand.coordinator;
  const made = (await call(url, 'tokens.create', { name: 'max', role: 'viewer' })) as { readonly secret: string };

  await Promise.all(Array.from({ length: 36 }, () => ticketOf('watch', { token: made.secret })));

  await expect(ticketOf('watch', { token: made.secret })).rejects.toThrow('too-many-terminals');
});

test('given a revoked machine, when a terminal on it is asked for, then it is refused with what lets the machine in again', async () => {
  const { url } = stand.coordinator;
  const [machine] = (await call(url, 'machines.list')) as readonly { readonly name: string }[];
  await call(url, 'machines.revoke', { name: machine?.name });

  await expect(ticketOf('watch')).rejects.toThrow(/revoked.*drover machine invite/u);
});
