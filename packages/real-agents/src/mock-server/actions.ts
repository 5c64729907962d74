// Defines the requests and answers of the mock model, in the words that all its dialects share.

/** Request of a program, read from the program's own dialect. */
export type Asked = {
  readonly model: string;
  /** Words of the user since the model last spoke: every piece of text, as it arrived. */
  readonly texts: readonly string[];
  /** Results of tools since the user last spoke. */
  readonly results: number;
  /** Times that the model has spoken before in this conversation. */
  readonly earlier: number;
  /** Names of the tools that the program offers. A request without any is one of its own (titles, routing). */
  readonly tools: readonly string[];
  readonly stream: boolean;
};

/** Words, streamed in pieces. */
export type Say = {
  readonly kind: 'say';
  readonly pieces: readonly string[];
  /** Milliseconds between two pieces. */
  readonly gapMs: number;
};

/** The call of a tool. `free` is the input of a tool that takes text instead of an object. */
export type Call = {
  readonly kind: 'call';
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly free: string | null;
};

/** An answer of the service that is no answer of the model. */
export type Refuse = {
  readonly kind: 'refuse';
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** Reaction of the mock to one request. `hang` never answers. */
export type Action = Say | Call | Refuse | { readonly kind: 'hang' };

/** Server-sent event and how long to wait after it, in milliseconds. */
export type Frame = { readonly event: string | null; readonly data: unknown; readonly waitMs: number };

/** Parts of an answer beside its words. */
export type Facts = { readonly id: string; readonly model: string };

/** Dialect of a service: its way to be asked and to answer. */
export type Dialect = {
  /** @returns null when the path is not one of this service. */
  readonly read: (path: string, body: unknown) => Asked | null;
  /** The answer as a stream. */
  readonly frames: (answer: Say | Call, facts: Facts) => Generator<Frame>;
  /** The answer at once. */
  readonly whole: (answer: Say | Call, facts: Facts) => unknown;
  /** The body of a refusal. */
  readonly refusal: (refuse: Refuse) => unknown;
  /** The line that ends a stream; null when there is none. */
  readonly last: string | null;
};

/** A frame without a name. */
export function frame(data: unknown, waitMs = 0): Frame {
  return { event: null, data, waitMs };
}
