/** Client of the coordinator, by its public `/v1` alone. */
import { pressOutcome, saidAnswer, workAnswer } from '@drover/protocol/channels';
import type {
  ChannelName,
  CommandRequest,
  DeliveryReport,
  LinkRequest,
  MoveRequest,
  PressOutcome,
  PressRequest,
  SaidAnswer,
  WorkAnswer,
} from '@drover/protocol/channels';
import type { z } from 'zod';
import type { HttpRequest, Nature } from '../ports.ts';

/** Reasons why a call failed. */
export type CallFailure =
  /** No answer, or one of a coordinator that cannot serve now: a retry may succeed. */
  | 'away'
  /** The bot's token is wrong, expired, or not for this channel. */
  | 'not-allowed'
  /** The coordinator cannot parse the call: a retry fails too. */
  | 'refused';

/** A failed call: nothing is stored. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly failure: CallFailure;

  constructor(failure: CallFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }
}

/** The calls of a bot for one channel. Each may throw {@link CallError}. */
export interface Coordinator {
  work(waitSecs: number, signal: AbortSignal): Promise<WorkAnswer>;
  report(escalation: string, report: DeliveryReport): Promise<void>;
  press(request: PressRequest): Promise<PressOutcome>;
  link(request: LinkRequest): Promise<SaidAnswer>;
  command(request: CommandRequest): Promise<SaidAnswer>;
  move(request: MoveRequest): Promise<void>;
  /** Releases the work of the channel for another process. */
  release(): Promise<void>;
}

/** The coordinator's address, the token for it, and the name of this process there. */
export interface CoordinatorAddress {
  readonly url: string;
  readonly token: string;
  readonly holder: string;
}

/** Timeout in milliseconds of a call that should be answered at once. */
const TIMEOUT_MS = 20_000;
/** Timeout in milliseconds of a call that reads a machine, such as a review. */
const LONG_TIMEOUT_MS = 60_000;

/** Makes the calls for one channel. */
export function coordinatorClient(
  nature: Pick<Nature, 'http'>,
  channel: ChannelName,
  { url, token, holder }: CoordinatorAddress,
): Coordinator {
  const call = async (path: string, request: Omit<HttpRequest, 'headers'>): Promise<string> => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(request.body !== undefined && { 'content-type': 'application/json' }),
    };
    const answer = await nature
      .http(`${url}/v1/channels/${channel}/${path}`, { ...request, headers })
      .catch((error: unknown) => {
        throw new CallError('away', `The coordinator at ${url} does not answer: ${String(error)}`, { cause: error });
      });
    if (answer.status >= 200 && answer.status < 300) return answer.text;
    const says = `${answer.status} ${answer.text.slice(0, 300)}`;
    if (answer.status === 401 || answer.status === 403)
      throw new CallError('not-allowed', `The coordinator does not let this bot serve ${channel}: ${says}`);
    const isForGood = answer.status >= 400 && answer.status < 500 && answer.status !== 408 && answer.status !== 429;
    throw new CallError(isForGood ? 'refused' : 'away', `The coordinator answered ${says}`);
  };
  const post = async <S extends z.ZodType>(path: string, body: unknown, schema: S): Promise<z.infer<S>> =>
    read(await call(path, { method: 'POST', body: JSON.stringify(body), timeoutMs: LONG_TIMEOUT_MS }), schema);
  return {
    work: async (waitSecs, signal) => {
      const path = `work?wait=${waitSecs}&holder=${encodeURIComponent(holder)}`;
      return read(await call(path, { method: 'GET', timeoutMs: TIMEOUT_MS + waitSecs * 1_000, signal }), workAnswer);
    },
    report: async (escalation, report) => {
      const body = JSON.stringify(report);
      await call(`work/${escalation}`, { method: 'POST', body, timeoutMs: TIMEOUT_MS });
    },
    press: (request) => post('press', request, pressOutcome),
    link: (request) => post('link', request, saidAnswer),
    command: (request) => post('command', request, saidAnswer),
    move: async (request) => {
      await call('move', { method: 'POST', body: JSON.stringify(request), timeoutMs: TIMEOUT_MS });
    },
    release: async () => {
      await call(`work?holder=${encodeURIComponent(holder)}`, { method: 'DELETE', timeoutMs: 2_000 });
    },
  };
}

function read<S extends z.ZodType>(text: string, schema: S): z.infer<S> {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new CallError('refused', `This bot cannot read the answer of the coordinator: ${String(error)}`, {
      cause: error,
    });
  }
}
