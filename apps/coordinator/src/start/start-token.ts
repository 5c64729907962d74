/**
 * Makes the token of a coordinator for its own people at its start: each process has its own, so that several on one database lock no one
 * out. The token is valid in that process alone, so it dies with the process, however the process ends. A shared token is valid in every
 * process that is given the same secret, and expires soon after the last of them.
 */
import type { ApiToken } from '@drover/store';
import { sha256 } from '../context/sha256.ts';
import type { CoordinatorOptions } from './options.ts';
import { startTokenName } from '../context/token-names.ts';
import type { Context } from '../context/context.ts';

/** Milliseconds that the token's row outlives a crashed process. */
const TTL_MS = 3_600_000;
const RENEW_MS = 600_000;

interface Making {
  readonly name: string;
  readonly secret: string;
  readonly kept?: boolean;
  /** Role of the token; absent: admin. */
  readonly role?: ApiToken['role'];
  /** Channels that make it a bot's token. */
  readonly channels?: readonly string[];
}

/** Lists the tokens that a process makes with these options. */
export function startTokens({ token, bot }: Pick<CoordinatorOptions, 'token' | 'bot'>): readonly Making[] {
  return [...(token === null ? [] : [token]), ...(bot === undefined ? [] : [{ name: 'bot', ...bot }])];
}

/** A token of this process. Disposing it revokes the token, unless it is kept for others with the same secret. */
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
        this.#ctx.log(
          'warn',
          'The token of this process was revoked, so Drover does not renew it. Restart to get a new one',
        );
        return;
      }
      await this.#put();
    } catch (error) {
      this.#ctx.log('warn', `Cannot renew the token of this process: ${String(error)}`);
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
    // If the database is gone, the token expires by itself.
    await this.#ctx.store.deleteApiToken(this.#id).catch(() => {});
  }
}
