/** Reads and validates the input of a request of the public API, and describes its problems in words. */
import type { V1Route } from '@drover/api';
import type { Context as Http } from 'hono';
import type { z } from 'zod';
import { refusedWith } from './answers.ts';
import type { Answer } from './answers.ts';

/** Input of a route, checked by its schemas. */
export interface Input {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  /** Body as it was sent. */
  readonly text: string;
}

/** @returns the input, or the problem with it. */
export async function inputOf(
  http: Http,
  route: V1Route,
): Promise<{ readonly kind: 'input'; readonly input: Input } | { readonly kind: 'answer'; readonly answer: Answer }> {
  const params = route.params.safeParse(http.req.param());
  const query = route.query.safeParse(queryOf(http));
  const read = route.body === null ? { kind: 'json' as const, value: undefined, text: '' } : await bodyOf(http, route);
  if (read.kind === 'answer') return read;
  const body = route.body?.safeParse(read.value) ?? { success: true as const, data: {} };
  if (!params.success || !query.success || !body.success)
    return invalid([...issuesOf(params, 'path'), ...issuesOf(query, 'query'), ...issuesOf(body, 'body')]);
  // Only input that fits its schema is checked, because the schema bounds the depth.
  const unstorable = textIssuesOf({ path: params.data, query: query.data, body: body.data });
  if (unstorable.length > 0) return invalid(unstorable);
  return { kind: 'input', input: { params: params.data, query: query.data, body: body.data, text: read.text } };
}

function invalid(problems: { path: string; message: string }[]): { readonly kind: 'answer'; readonly answer: Answer } {
  const message = problems.map(({ path, message: said }) => `${path}: ${said}`).join('. ');
  return { kind: 'answer', answer: refusedWith('invalid', message, { errors: problems }) };
}

/** Reads the query. Several values of one name stay a list, which the schema refuses: the caller does not say which counts. */
function queryOf(http: Http): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(http.req.queries()).map(([name, values]) => [
      name,
      values.length === 1 ? (values[0] ?? '') : values,
    ]),
  );
}

async function bodyOf(
  http: Http,
  { bytesMax }: V1Route,
): Promise<
  | { readonly kind: 'json'; readonly value: unknown; readonly text: string }
  | { readonly kind: 'answer'; readonly answer: Answer }
> {
  const type = http.req.header('content-type') ?? '';
  if (!/^application\/json(?:\s*;|\s*$)/iu.test(type))
    return unread('wrong-type', 'Send the body as JSON, with the header "Content-Type: application/json"');
  // The door lets no body in without its length.
  if (Number(http.req.header('content-length') ?? 0) > bytesMax)
    return unread('too-large', `The body of this request has at most ${bytesMax} bytes`);
  const text = await http.req.text();
  try {
    return { kind: 'json', value: JSON.parse(text), text };
  } catch {
    return unread('not-json', text === '' ? 'The body is empty: send a JSON object' : 'The body is not JSON');
  }
}

function unread(code: string, message: string): { readonly kind: 'answer'; readonly answer: Answer } {
  return { kind: 'answer', answer: refusedWith(code, message) };
}

/** Finds a zero byte or half a character, which no database keeps as text. */
function textIssuesOf(value: unknown): { path: string; message: string }[] {
  const issues: { path: string; message: string }[] = [];
  const walk = (one: unknown, path: string): void => {
    if (issues.length >= ISSUES_MAX) return;
    if (typeof one === 'string') {
      if (one.includes('\0') || !one.isWellFormed())
        issues.push({
          path,
          message: 'It contains a zero byte or an incomplete character, so it is not text: remove it',
        });
    } else if (typeof one === 'object' && one !== null) {
      for (const [name, inner] of Object.entries(one)) walk(inner, path === '' ? name : `${path}.${name}`);
    }
  };
  walk(value, '');
  return issues;
}

/** Problems that an answer lists at most: a hostile body may have thousands. */
const ISSUES_MAX = 20;

function issuesOf(
  result: { readonly success: boolean; readonly error?: z.ZodError },
  where: string,
): { path: string; message: string }[] {
  const issues = result.error?.issues ?? [];
  return issues.slice(0, ISSUES_MAX).map(({ path, message }) => ({ path: [where, ...path].join('.'), message }));
}
