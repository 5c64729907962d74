/** How is one request sent over HTTP? */

/** What came back; a status is an answer, not an error. */
export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

/** Posts JSON. @throws when there is no answer, or the signal fired. */
export async function post(
  url: string,
  { body, token, signal }: { body: unknown; token: string | undefined; signal: AbortSignal },
): Promise<HttpAnswer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
    signal,
  });
  return { status: response.status, text: await response.text() };
}
