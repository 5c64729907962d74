// Generates from one seed what a stranger could send: bytes that were a request once, and bytes that never were.
import { SeededRandom } from '@drover/testkit';
import { cut, many, mutate, noise } from './bytes.ts';

/** Everything that one connection sends. */
export interface Input {
  readonly kind: Kind;
  readonly chunks: readonly Buffer[];
  /** Tells whether the sender says that it is done. */
  readonly ends: boolean;
  /** The address that it comes from, of loopback. */
  readonly from: string;
}

/** Valid credentials that inputs use. */
export interface Keys {
  /** A person's token. */
  readonly person: string;
  /** Access token of a machine. */
  readonly machine: string;
  readonly machineId: string;
}

const KINDS = { http: 5, upgrade: 5, frames: 5, garbage: 2, pipeline: 2 } as const;
type Kind = keyof typeof KINDS;

/** The input of this number in the run of this seed. */
export function inputOf(seed: number, number: number, keys: Keys): Input {
  const random = new SeededRandom(Math.imul(seed, 0x9e3779b1) + number);
  const kind = random.weighted(KINDS);
  const whole = bytesOf(random, kind, keys);
  return {
    kind,
    chunks: cut(random, random.chance(0.5) ? mutate(random, whole) : whole),
    ends: random.chance(0.5),
    from: `127.${random.int(0, 255)}.${random.int(0, 255)}.${random.int(1, 254)}`,
  };
}

function bytesOf(random: SeededRandom, kind: Kind, keys: Keys): Buffer {
  switch (kind) {
    case 'http':
      return http(random, keys);
    case 'upgrade':
      return upgrade(random, keys, random.chance(0.2));
    case 'frames':
      return Buffer.concat([upgrade(random, keys, true), ...many(random, 8, () => frame(random, keys))]);
    case 'garbage':
      return noise(random, random.int(1, 2_000));
    case 'pipeline':
      return Buffer.concat(
        many(random, 12, () => (random.chance(0.8) ? http(random, keys) : upgrade(random, keys, false))),
      );
    default:
      return kind satisfies never;
  }
}

const METHODS = ['GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'CONNECT', 'TRACE', 'PATCH', 'PRI', 'get', 'G\0T'];
const PATHS = [
  '/',
  '//',
  '///',
  '/\\',
  '//[',
  '*',
  '/%',
  '/%ff%00%2e%2e',
  'http://[',
  'http://127.0.0.1/healthz',
  '/healthz',
  '/readyz',
  '/metrics',
  '/agent/join',
  '/agent/challenge',
  '/agent/hello',
  '/agent/sync?wait=0',
  '/agent/sync?wait=1e309',
  '/agent/ws',
  '/agent/ws?x#y',
  '/trpc/info',
  '/trpc/workers.list',
  '/trpc/workers.why?input={"name":"a","limit":1}',
  '/trpc/workers.why?input=%',
  '/trpc/info,info,workers.list?batch=1&input={}',
  '/trpc/__proto__.constructor',
  '/trpc/policy.diff?input={"before":{"kind":"default"},"after":{"kind":"changes","documents":[{"__proto__":{"a":1}}]}}',
  '/trpc/workers.add',
  '/trpc/queue.add',
] as const;
const HOSTS = [
  '127.0.0.1',
  'localhost',
  '[::1]',
  'localhost:1',
  'evil.example',
  '',
  '[',
  'a b',
  '127.0.0.1, x',
  '\xff',
] as const;
const ODD_HEADERS = [
  ['origin', 'https://evil.example'],
  ['origin', 'null'],
  ['sec-fetch-site', 'cross-site'],
  ['expect', '100-continue'],
  ['expect', 'tea'],
  ['transfer-encoding', 'chunked'],
  ['transfer-encoding', 'gzip, chunked'],
  ['content-length', '-1'],
  ['content-length', '99999999999999999999'],
  ['content-length', '5'],
  ['connection', 'close'],
  ['connection', 'keep-alive, upgrade, te'],
  ['content-type', 'application/json'],
  ['content-type', 'multipart/form-data; boundary=x'],
  ['content-encoding', 'br'],
  ['x-forwarded-for', '1.2.3.4, ::1, x'],
  ['forwarded', 'for=unknown'],
  ['cookie', 'a=b'],
  ['trpc-accept', 'application/jsonl'],
  ['accept', 'text/event-stream'],
  ['x-trpc-source', '\xe9'],
] as const;

function http(random: SeededRandom, keys: Keys): Buffer {
  const body = random.chance(0.6) ? Buffer.from(json(random, keys)) : Buffer.alloc(0);
  const lines = [
    `${random.chance(0.8) ? random.pick(['GET', 'POST']) : random.pick(METHODS)} ${random.pick(PATHS)} HTTP/1.${random.int(0, 1)}`,
    ...host(random),
    ...authorization(random, keys),
    ...oddHeaders(random),
    ...(body.length > 0 ? [`content-length: ${body.length}`] : []),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

function upgrade(random: SeededRandom, { machine, person }: Keys, isValid: boolean): Buffer {
  const pick = <T>(good: T, bad: readonly T[]): T => (isValid || random.chance(0.6) ? good : random.pick(bad));
  const lines = [
    `GET ${pick<string>('/agent/ws', PATHS)} HTTP/1.1`,
    `host: ${pick<string>('127.0.0.1', HOSTS)}`,
    `connection: ${pick('Upgrade', ['close', 'keep-alive', 'upgrade, upgrade'])}`,
    `upgrade: ${pick('websocket', ['h2c', 'WEBSOCKET', 'websocket, x', ''])}`,
    `sec-websocket-version: ${pick('13', ['8', '0', 'x', '13, 13'])}`,
    `sec-websocket-key: ${pick('dGhlIHNhbXBsZSBub25jZQ==', ['', 'x', 'a'.repeat(1_000)])}`,
    `authorization: Bearer ${pick(machine, [person, 'x'.repeat(40), '', '\xff'])}`,
    ...(isValid ? [] : oddHeaders(random)),
    ...(random.chance(0.2) ? ['sec-websocket-extensions: permessage-deflate; server_max_window_bits=0'] : []),
    ...(random.chance(0.2) ? ['sec-websocket-protocol: a, b, ,'] : []),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

function frame(random: SeededRandom, keys: Keys): Buffer {
  if (random.chance(0.1)) return noise(random, random.int(1, 200));
  const opcode = random.chance(0.6) ? 1 : random.int(0, 15);
  const isControl = opcode >= 8;
  const body = isControl ? noise(random, random.int(0, 130)) : Buffer.from(json(random, keys));
  const first = (random.chance(0.85) ? 0x80 : 0) | (random.chance(0.05) ? 0x70 : 0) | opcode;
  const told = random.chance(0.9) ? body.length : random.int(0, 2 ** 31);
  const mask = noise(random, 4);
  const isMasked = random.chance(0.95);
  const masked = body.map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  return Buffer.concat([Buffer.from([first]), lengthOf(told, isMasked), isMasked ? mask : Buffer.alloc(0), masked]);
}

function lengthOf(length: number, isMasked: boolean): Buffer {
  const mask = isMasked ? 0x80 : 0;
  if (length < 126) return Buffer.from([mask | length]);
  if (length < 65_536) return Buffer.from([mask | 126, length >> 8, length & 0xff]);
  const long = Buffer.alloc(9);
  long[0] = mask | 127;
  long.writeBigUInt64BE(BigInt(length), 1);
  return long;
}

const ID = '11111111-1111-4111-8111-111111111111';

/** A message of the protocol or of the API, more or less. */
function json(random: SeededRandom, { machineId }: Keys): string {
  const value = (depth: number): unknown => {
    switch (random.int(0, depth > 3 ? 6 : 9)) {
      case 0:
        return random.pick([0, -1, Number.POSITIVE_INFINITY, 2 ** 53, 0.5, random.int(0, 1_000)]);
      case 1:
        return random.pick(['', 'a', '\0', '\ud800', '__proto__', 'x'.repeat(random.int(0, 5_000))]);
      case 2:
        return random.chance(0.5);
      case 3:
        return null;
      case 4:
        return random.chance(0.5) ? ID : machineId;
      case 5:
        return random.pick([
          'screen',
          'exit',
          'result',
          'answer',
          'panes',
          'tool-failed',
          'prepared',
          'command',
          'query',
        ]);
      case 6:
        return [];
      case 7:
        return Array.from({ length: random.int(0, 5) }, () => value(depth + 1));
      default:
        return Object.fromEntries(
          Array.from({ length: random.int(0, 6) }, () => [random.pick(KEYS), value(depth + 1)]),
        ) as unknown;
    }
  };
  switch (random.int(0, 5)) {
    case 0:
      return JSON.stringify({ agentEpoch: ID, acks: [ID], observations: [{ seq: 1, at: 1, body: value(0) }] });
    case 1:
      return JSON.stringify({ agentEpoch: ID, acks: value(0), observations: value(0), profilesRevision: value(0) });
    case 2:
      return JSON.stringify({
        machineId,
        token: value(1),
        name: value(1),
        publicKey: value(1),
        nonce: value(1),
        facts: value(1),
      });
    case 3:
      return `${'['.repeat(random.int(1, 50_000))}`;
    case 4:
      return JSON.stringify({ requestId: ID, name: 'ada', prompt: value(1), text: value(1), limit: value(1) });
    default:
      return JSON.stringify(value(0)) ?? '';
  }
}

const KEYS = [
  'kind',
  'workerId',
  'incarnation',
  'seq',
  'at',
  'commandId',
  'result',
  'panes',
  'observe',
  '__proto__',
  'toString',
  'length',
  'dead',
];

function host(random: SeededRandom): string[] {
  if (random.chance(0.1)) return [];
  const one = `host: ${random.chance(0.7) ? '127.0.0.1' : random.pick(HOSTS)}`;
  return random.chance(0.05) ? [one, one] : [one];
}

function authorization(random: SeededRandom, { person, machine }: Keys): string[] {
  if (random.chance(0.3)) return [];
  const token = random.chance(0.6)
    ? random.pick([person, machine])
    : random.pick(['', 'x', 'x'.repeat(40), 'é'.repeat(30)]);
  return [`authorization: ${random.chance(0.9) ? 'Bearer' : 'Basic'} ${token}`];
}

function oddHeaders(random: SeededRandom): string[] {
  const some = many(random, 3, () => random.pick(ODD_HEADERS).join(': '));
  if (random.chance(0.03)) some.push(...Array.from({ length: 200 }, (_, index) => `x-${index}: y`));
  if (random.chance(0.03)) some.push(`x-long: ${'y'.repeat(random.int(1, 60_000))}`);
  return random.chance(0.5) ? some : [];
}
