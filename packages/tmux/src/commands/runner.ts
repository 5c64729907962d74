/** Runs tmux commands, over a control connection or in processes. */
import type { Chain } from './command.ts';

/** Answer of tmux to one command. */
export interface Reply {
  readonly ok: boolean;
  /** Output or error message, without the end of its last line. */
  readonly body: Uint8Array;
}

/** Answers to a request in order. A chain with an error has answers only up to that error. */
export type Replies = readonly Reply[];

export interface CommandRunner {
  /** Transport of the next request. */
  readonly via: 'control' | 'spawned';
  /**
   * Runs chains in order; a failed chain does not stop the next.
   *
   * @throws TmuxError `timed-out`, `connection-lost`, `server-gone`, `server-busy`.
   */
  exec(chains: readonly Chain[], options: { readonly timeoutMs: number }): Promise<Replies>;
}

export function textOf(reply: Reply): string {
  return Buffer.from(reply.body).toString();
}

/** Finds the first error among the replies. */
export function firstError(replies: Replies): string | undefined {
  const failed = replies.find((reply) => !reply.ok);
  return failed && textOf(failed);
}

/** Lines of all good replies. */
export function linesOf(replies: Replies): readonly string[] {
  return replies.filter((reply) => reply.ok).flatMap((reply) => textOf(reply).split('\n'));
}
