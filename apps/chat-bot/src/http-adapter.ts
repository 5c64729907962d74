/** Requests over HTTP by the platform's `fetch`: no redirection is followed, because it would carry tokens elsewhere. */
import type { Http } from './ports.ts';

/** The adapter. */
export const systemHttp: Http = async (url, { method, headers = {}, body, timeoutMs, signal }) => {
  const limit = AbortSignal.timeout(timeoutMs);
  const answer = await fetch(url, {
    method,
    headers,
    redirect: 'manual',
    signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    ...(body !== undefined && { body }),
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};
