/** How is one request sent over HTTP? */

/** What came back; a status is an answer, not an error. */
export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

/** Posts JSON to a URL. @throws when there is no answer, or the signal fired. */
export type Post = (
  url: string,
  request: { readonly body: unknown; readonly token: string | undefined; readonly signal: AbortSignal },
) => Promise<HttpAnswer>;

/** Posts over the network. */
export const postByFetch: Post = async (url, { body, token, signal }) => {
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
};
