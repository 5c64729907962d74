/** A fleet of simulated agents under a real `drover up`, and a browser that is signed in to it. */
import type { Browser, Page } from 'playwright-core';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { Sandbox } from '../fleet/sandbox.ts';
import type { Up } from '../fleet/sandbox.ts';
import { openWindow, startBrowser } from './browser.ts';
import type { View, Window } from './browser.ts';

/** Builds the pages, if their sources have changed. */
const BUILD = path.resolve(import.meta.dirname, '../../apps/dashboard/build.ts');

interface Opening {
  /** Configuration of the root, if it is another one than that of all tests. */
  readonly toml?: string;
  /** An empty database; absent: one of the tests. */
  readonly databaseUrl?: string;
}

export class Stage implements AsyncDisposable {
  readonly user: Sandbox;
  readonly url: string;
  readonly browser: Browser;
  up: Up;
  readonly #stack: AsyncDisposableStack;

  private constructor(parts: { user: Sandbox; up: Up; browser: Browser; stack: AsyncDisposableStack }) {
    this.user = parts.user;
    this.up = parts.up;
    this.url = parts.up.url;
    this.browser = parts.browser;
    this.#stack = parts.stack;
  }

  static async open({ toml, databaseUrl }: Opening = {}): Promise<Stage> {
    await using stack = new AsyncDisposableStack();
    await promisify(execFile)(process.execPath, [BUILD]);
    const user = stack.use(await Sandbox.withRoot());
    if (toml !== undefined) await user.configure(toml);
    const up = await user.up([], databaseUrl === undefined ? {} : { env: { DATABASE_URL: databaseUrl } });
    const browser = await startBrowser();
    stack.defer(() => browser.close());
    return new Stage({ user, up, browser, stack: stack.move() });
  }

  /** Kills the coordinator and starts it again; its port must be a fixed one. */
  async killAndStart(): Promise<void> {
    process.kill(this.up.pid, 'SIGKILL');
    this.up = await this.user.up([], { env: { DATABASE_URL: this.up.databaseUrl } });
  }

  /** Adds a worker that has a session. */
  async worker(name: string): Promise<void> {
    await this.user.done('add', name);
    await this.user.until(name, 'idle');
  }

  /** Gives a worker a task, and waits for the state that it leads to. */
  async task(name: string, prompt: string, status: string): Promise<void> {
    await this.user.done('start', '--worker', name, '--prompt', prompt);
    await this.user.until(name, status);
  }

  /** Makes an address that signs one browser in. */
  async ticketAddress(env: Readonly<Record<string, string>> = {}): Promise<string> {
    const { status, stdout, stderr } = await this.user.drover(['open', '--json'], { env });
    if (status !== 0) throw new Error(stderr);
    return (JSON.parse(stdout) as { readonly url: string }).url;
  }

  /** Opens a window and signs it in as `drover open` does. `env`: of another person. */
  async window(view: View = {}, env: Readonly<Record<string, string>> = {}): Promise<Window> {
    const window = await openWindow(this.browser, view);
    await window.page.goto(await this.ticketAddress(env));
    await window.page.getByRole('navigation', { name: 'Pages' }).waitFor();
    return window;
  }

  /** Opens a window and signs it in by a new token that is pasted. */
  async windowOf(name: string, role: 'viewer' | 'responder' | 'operator'): Promise<Window> {
    const { secret } = JSON.parse(await this.user.done('auth', 'token', 'create', name, '--role', role, '--json')) as {
      secret: string;
    };
    const window = await openWindow(this.browser);
    await window.page.goto(this.url);
    await window.page.getByLabel('Or paste a token').fill(secret);
    await window.page.getByRole('button', { name: 'Sign in' }).click();
    await window.page.getByRole('navigation', { name: 'Pages' }).waitFor();
    return window;
  }

  /** Goes to a page of the dashboard and waits for its content. */
  async goto(page: Page, path: string, heading: RegExp): Promise<void> {
    await page.goto(`${this.url}${path}`);
    await page.getByRole('heading', { name: heading }).first().waitFor();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}
