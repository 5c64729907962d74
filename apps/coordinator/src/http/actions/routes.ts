/**
 * Serves links that answer a question: `GET` shows the question and never acts, because programs open links to preview them; `POST`
 * answers. A form is answered with a page, JSON with JSON.
 */
import { actionInput, actionToken, explained, problemOf } from '@drover/api';
import type { ActionInput, EscalationFleet, Refusal, V1Refusal } from '@drover/api';
import { Hono } from 'hono';
import type { Context as Http } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { answerByLink, closedTo, findLinked } from '../../use-cases/actions/act.ts';
import { redactorOf } from '../../context/context.ts';
import type { Context } from '../../context/context.ts';
import { refusedWith, responseOf } from '../v1/answers.ts';
import { questionPage, saidPage } from './question-page.ts';

/** Largest body, in bytes: the words of an answer. */
const BODY_BYTES_MAX = 65_536;

export interface ActionParts {
  readonly ctx: Context;
  readonly fleet: Pick<EscalationFleet, 'resolveEscalation' | 'escalation'>;
}

/** Serves `/v1/actions`. */
export function actionRoutes({ ctx, fleet }: ActionParts): Hono {
  const app = new Hono();
  const tooLarge = (http: Http): Response =>
    refusedTo(http, { kind: 'refused', code: 'too-large', message: `An answer has at most ${BODY_BYTES_MAX} bytes` });
  app.get('/', async (http) => {
    const token = actionToken.safeParse(http.req.query('token'));
    if (!token.success) return saidPage('This link is incomplete: open it exactly as it was sent', 422);
    const found = await findLinked(ctx, token.data);
    if (found.kind === 'refused') return refusedPage(found);
    const closed = closedTo(found.value);
    return closed?.kind === 'refused' ? refusedPage(closed) : questionPage(ctx, found.value, token.data);
  });
  app.post('/', bodyLimit({ maxSize: BODY_BYTES_MAX, onError: tooLarge }), async (http) => {
    const read = await inputOf(http);
    if (read.kind === 'refused') return refusedTo(http, read);
    const found = await findLinked(ctx, read.value.token);
    if (found.kind === 'refused') return refusedTo(http, found);
    const { actor, row } = found.value;
    const outcome = await answerByLink(ctx, fleet, { linked: found.value, input: read.value });
    if (outcome.kind === 'refused')
      return refusedTo(http, redacted(ctx, await explained(outcome, { fleet, actor, params: { id: row.id } })));
    const answer = redactorOf(ctx).value(outcome.value);
    return isForm(http) ? saidPage(answer.says, 200) : responseOf(http, { status: 200, body: answer });
  });
  return app;
}

function isForm(http: Http): boolean {
  return /^application\/x-www-form-urlencoded\s*(?:;|$)/iu.test(http.req.header('content-type') ?? '');
}

async function inputOf(http: Http): Promise<{ readonly kind: 'ok'; readonly value: ActionInput } | V1Refusal> {
  const isJson = /^application\/json\s*(?:;|$)/iu.test(http.req.header('content-type') ?? '');
  if (!isJson && !isForm(http))
    return { kind: 'refused', code: 'wrong-type', message: 'Send the answer as a form or as JSON' };
  const sent = await http.req.text();
  const given = isJson ? jsonOf(sent) : formOf(sent);
  if (given === undefined) return { kind: 'refused', code: 'not-json', message: 'The body is not JSON' };
  const body = actionInput.safeParse(given);
  if (body.success && !isText(body.data))
    return {
      kind: 'refused',
      code: 'invalid',
      message: 'The body contains a zero byte or an incomplete character: remove it',
    };
  if (body.success) return { kind: 'ok', value: body.data };
  const errors = body.error.issues.map(({ path, message }) => ({ path: ['body', ...path].join('.'), message }));
  const message = errors.map((one) => `${one.path}: ${one.message}`).join('. ');
  return { kind: 'refused', code: 'invalid', message, extras: { errors } };
}

/** Rejects a zero byte or half a character: no database keeps them as text. */
function isText({ option, text = '' }: ActionInput): boolean {
  return [option, text].every((one) => one.isWellFormed() && !one.includes('\0'));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses a form: a browser sends an empty field too, and ends lines with two characters. */
function formOf(text: string): Readonly<Record<string, string>> {
  const fields = [...new URLSearchParams(text)].map(([name, value]) => [name, value.replaceAll('\r\n', '\n')] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== ''));
}

/** X14: titles and options may hold text from a pane. */
function redacted(ctx: Context, refusal: V1Refusal): V1Refusal {
  return redactorOf(ctx).value(refusal);
}

function refusedTo(http: Http, refusal: V1Refusal): Response {
  if (isForm(http)) return refusedPage(refusal);
  const { code, message, extras = {} } = refusal;
  return responseOf(http, refusedWith(code, message, extras));
}

function refusedPage({ code, message }: Refusal): Response {
  return saidPage(message, problemOf({ code, message }).status);
}
