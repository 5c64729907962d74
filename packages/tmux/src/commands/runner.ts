/** What does it mean to have tmux run commands, whichever way they travel? */
import type { Chain } from './command.ts';

/** tmux's answer to one command. */
export interface Reply {
  readonly ok: boolean;
  /** What it printed, or its error message; without the last line's end. */
  readonly body: Uint8Array;
}

/** Answers to a request in order. A chain that met an error has answers only up to it. */
export type Replies = readonly Reply[];

/** Something that runs chains of commands on one tmux server. */
export interface CommandRunner {
  /** Which way the next request will take. */
  readonly via: 'control' | 'spawned';
  /**
   * Runs chains in order; a failed chain does not stop the next.
   *
   * @throws TmuxError `timed-out`, `connection-lost`, `server-gone`, `server-busy`.
   */
  exec(chains: readonly Chain[], options: { readonly timeoutMs: number }): Promise<Replies>;
}

/** A reply's text. */
export function textOf(reply: Reply): string {
  return Buffer.from(reply.body).toString();
}

/** The first error among the replies, if there is one. */
export function firstError(replies: Replies): string | undefined {
  const failed = replies.find((reply) => !reply.ok);
  return failed && textOf(failed);
}

/** The lines of all good replies. */
export function linesOf(replies: Replies): readonly string[] {
  return replies.filter((reply) => reply.ok).flatMap((reply) => textOf(reply).split('\n'));
}
