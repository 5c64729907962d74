/**
 * The token that a coordinator makes for its own people at its start: each has its own, so that several on one database lock no one
 * out. It is good in that process alone, so it dies with it, however the process ends. A shared one is good in every process that is
 * given the same secret, and expires soon after the last of them.
 */
import type { ApiToken } from '@drover/store';
import { sha256 } from '../context/sha256.ts';
import type { CoordinatorOptions } from './options.ts';
import { startTokenName } from '../context/token-names.ts';
import type { Context } from '../context/context.ts';

/** Milliseconds that its row outlives a process that died without a word. */
const TTL_MS = 3_600_000;
const RENEW_MS = 600_000;

interface Making {
  readonly name: string;
  readonly secret: string;
  readonly kept?: boolean;
  /** Absent: an admin's. */
  readonly role?: ApiToken['role'];
  /** Makes it a bot's for these channels. */
  readonly channels?: readonly string[];
}

/** The tokens that a process makes with these options. */
export function startTokens({ token, bot }: Pick<CoordinatorOptions, 'token' | 'bot'>): readonly Making[] {
  return [...(token === null ? [] : [token]), ...(bot === undefined ? [] : [{ name: 'bot', ...bot }])];
}

/** Disposing it takes the token back, unless it is kept for others with the same secret. */
export class StartToken implements AsyncDisposable {
  readonly #ctx: Context;
  readonly #making: Making;
  readonly #id: string;
  #cancel: () => void = () => {};
  #isOver = false;

  private constructor(ctx: Context, making: Making) {
    this.#ctx = ctx;
    this.#making = making;
    this.#id = ctx.ids.uuid();
  }

  /** @throws when the database does not answer. */
  static async issue(ctx: Context, making: Making): Promise<StartToken> {
    const token = new StartToken(ctx, making);
    await token.#put();
    token.#arm();
    return token;
  }

  #arm(): void {
    this.#cancel = this.#ctx.clock.after(RENEW_MS, () => void this.#renew());
  }

  async #renew(): Promise<void> {
    try {
      if ((await this.#ctx.store.apiTokenBySha256(sha256(this.#making.secret))) === null) {
        this.#ctx.log('warn', 'The token of this process was revoked and is not renewed. A new start makes a new one');
        return;
      }
      await this.#put();
    } catch (error) {
      this.#ctx.log('warn', `The token of this process could not be renewed: ${String(error)}`);
    }
    if (!this.#isOver) this.#arm();
  }

  async #put(): Promise<void> {
    const { store, clock } = this.#ctx;
    const hash = sha256(this.#making.secret);
    const now = clock.now();
    await store.createApiToken(
      {
        id: this.#id,
        name: startTokenName(this.#making),
        role: this.#making.role ?? 'admin',
        projectId: null,
        workerId: null,
        channels: this.#making.channels ?? null,
        expiresAt: now + TTL_MS,
        sha256: hash,
      },
      now,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    this.#cancel();
    if (this.#making.kept === true) return;
    // A database that is gone cannot be told; the token expires.
    await this.#ctx.store.deleteApiToken(this.#id).catch(() => {});
  }
}
