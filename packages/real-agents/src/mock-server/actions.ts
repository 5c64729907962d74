// What does the mock model answer, and to what? The words that all its dialects share.

/** What a program asked, read from a request in the program's own dialect. */
export type Asked = {
  readonly model: string;
  /** What the user said since the model last spoke: every piece of text, as it arrived. */
  readonly texts: readonly string[];
  /** Results of tools since the user last spoke. */
  readonly results: number;
  /** How often the model has spoken before in this conversation. */
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

/** What the mock does with one request. `hang` never answers. */
export type Action = Say | Call | Refuse | { readonly kind: 'hang' };

/** One server-sent event and how long to wait after it, in milliseconds. */
export type Frame = { readonly event: string | null; readonly data: unknown; readonly waitMs: number };

/** What an answer needs beside its words. */
export type Facts = { readonly id: string; readonly model: string };

/** One service's way to be asked and to answer. */
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
