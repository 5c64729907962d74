/** Tests `drover mcp` as a real process: of a person, in a worker's pane, and with clients that send nonsense or die. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { paneOf } from '../support/pane.ts';
import { DROVER } from '../../../../tools/fleet/program.ts';
import { Sandbox } from '../../../../tools/fleet/sandbox.ts';
import { until } from '../../../../tools/fleet/wait.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.withRoot();
  await sandbox.up();
  await sandbox.done('add', 'adam', '--wait');
});
afterAll(() => sandbox[Symbol.asyncDispose]());

interface Message {
  readonly id?: number;
  readonly result?: {
    readonly tools?: readonly { readonly name: string }[];
    readonly content?: readonly { readonly text: string }[];
    readonly isError?: boolean;
  };
  readonly error?: { readonly message: string };
}

/** Speaks the protocol line by line. Every line of stdout must be a message. */
class McpClient {
  readonly #child;
  readonly #answers = new Map<number, Message>();
  #ids = 0;
  /** Lines of stdout that were no message. */
  readonly strange: string[] = [];

  constructor(cwd: string, env: Readonly<Record<string, string | undefined>>) {
    this.#child = spawn(DROVER, ['mcp'], { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
    this.#child.stdin.on('error', () => {});
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#hear(line));
  }

  #hear(line: string): void {
    try {
      const message = JSON.parse(line) as Message & { readonly jsonrpc?: string };
      if (message.jsonrpc !== '2.0') throw new Error('no message');
      if (message.id !== undefined) this.#answers.set(message.id, message);
    } catch {
      this.strange.push(line);
    }
  }

  write(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  async ask(method: string, params: object): Promise<Message> {
    this.#ids += 1;
    const id = this.#ids;
    this.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return until(`the answer to ${method}`, () => {
      if (this.#child.exitCode !== null) throw new Error(`drover mcp ended with ${this.#child.exitCode}`);
      return this.#answers.get(id);
    });
  }

  async open(): Promise<this> {
    const clientInfo = { name: 'test', version: '1' };
    await this.ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    this.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
    return this;
  }

  async tools(): Promise<readonly string[]> {
    return ((await this.ask('tools/list', {})).result?.tools ?? []).map(({ name }) => name);
  }

  async call(name: string, given: object): Promise<{ readonly text: string; readonly isError: boolean }> {
    const { result, error } = await this.ask('tools/call', { name, arguments: given });
    return {
      text: result?.content?.[0]?.text ?? error?.message ?? '',
      isError: result?.isError ?? error !== undefined,
    };
  }

  /** Closes stdin, as a client does that dies. @returns the status. */
  async die(): Promise<number | null> {
    const ended = once(this.#child, 'exit');
    this.#child.stdin.end();
    await ended;
    return this.#child.exitCode;
  }
}

test('given a person, when their program uses the tools, then a run is started at once, shown and stopped, and a mistake is told', async () => {
  const client = await new McpClient(sandbox.root, sandbox.env).open();
  expect(await client.tools()).toEqual(expect.arrayContaining(['run_start', 'run_show', 'run_stop', 'worker_list']));

  const started = await client.call('run_start', { flow: 'change', inputs: { goal: 'Add a flag' } });
  const { id } = JSON.parse(started.text) as { id: string };
  expect(JSON.parse((await client.call('run_show', { id })).text)).toMatchObject({ id, flow: 'change' });
  await client.call('run_stop', { id });
  await until('its end', async () => {
    const { status } = JSON.parse((await client.call('run_show', { id })).text) as { status: string };
    return status === 'stopped' ? true : undefined;
  });

  expect(await client.call('run_start', { flow: 'chnage', inputs: {} })).toMatchObject({
    isError: true,
    text: expect.stringContaining('WORKFLOW_NOT_FOUND'),
  });
  expect(await client.call('run_show', { id: 7 })).toMatchObject({ isError: true });
  expect(client.strange).toEqual([]);
  expect(await client.die()).toBe(0);
});

test('given a pane, when its agent lists and calls tools, then it has its own and no tool of a person, whatever it names', async () => {
  const { env, worktree } = await paneOf(sandbox, 'adam');
  const client = await new McpClient(worktree, env).open();

  expect(await client.tools()).toEqual(['result', 'tell', 'ask']);
  expect(await client.call('run_start', { flow: 'change', inputs: { goal: 'x' } })).toEqual({
    isError: true,
    text: 'There is no tool "run_start" for you; there are: result, tell, ask',
  });
  expect(await client.call('ask', { text: 'May I?' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('adam does no task of a run'),
  });
  expect(await client.call('ask', { text: 'x'.repeat(1_000_000) })).toMatchObject({
    isError: true,
    text: expect.stringContaining('at most 2 KiB'),
  });
  expect(client.strange).toEqual([]);
  expect(await client.die()).toBe(0);
});

test('given a client that sends nonsense, when it then asks properly, then it is answered, and nothing but messages was written', async () => {
  const client = new McpClient(sandbox.root, sandbox.env);
  for (const line of [
    '',
    '}{',
    'null',
    '[]',
    '{"jsonrpc":"2.0"}',
    '\u0000\u0001',
    '{"jsonrpc":"1.0","id":1,"method":"x"}',
  ])
    client.write(line);
  await client.open();

  expect((await client.ask('no/such', {})).error).toBeDefined();
  expect((await client.ask('tools/call', { name: 7 })).error).toBeDefined();
  expect(await client.tools()).toContain('run_list');
  expect(client.strange).toEqual([]);
  expect(await client.die()).toBe(0);
});
