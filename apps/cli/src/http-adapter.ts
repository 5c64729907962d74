/** How does a command reach the network? */

/** Asks over HTTP; a request that takes longer than `timeoutMs` milliseconds is given up. */
export type Ask = (input: string | URL, options: RequestInit & { readonly timeoutMs: number }) => Promise<Response>;

/** Node's own fetch. @throws {TypeError} when there is no answer; its cause says why. */
export async function askOverHttp(input: string | URL, { timeoutMs, ...init }: Parameters<Ask>[1]): Promise<Response> {
  return fetch(input, { ...init, signal: AbortSignal.timeout(timeoutMs) });
}
