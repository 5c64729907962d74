/**
 * Defines a profile document, the data that teaches Drover one coding agent: how to start it, how to read its screen, how to type to it. Regular
 * expressions are strings in the document and `RegExp` once loaded.
 */
import { TRUST_KINDS } from '@drover/core';
import { z } from 'zod';
import { dialogKind, pattern, screen } from './screen.ts';
import type { region, sign, styleTest } from './screen.ts';

/** The document format that this code reads. Raised when a field changes its meaning. */
export const PROFILE_FORMAT = 1;

const errorWords = z.strictObject({
  id: z.string(),
  matches: pattern,
  error: z.enum([
    'rate-limit',
    'usage-limit',
    'network',
    'overloaded',
    'tool',
    'api',
    'auth',
    'context-exhausted',
    'history-refused',
  ]),
});

/** Arguments with `{name}` where a value goes. */
const argv = z.array(z.string());

/** Names of the program's protocol for the options of a permission dialog, by their labels. */
const decisions = z.array(z.strictObject({ label: pattern, decision: z.string() }));
const version = z.string().regex(/^\d+\.\d+\.\d+$/);

/** Way to start the program so that a second client may join, from the version `since` on. */
const channel = z.discriminatedUnion('kind', [
  z.strictObject({
    /** An app-server on the Unix socket `{socket}`, whose client the screen is. Permissions and model are the server's. */
    kind: z.literal('codex'),
    since: version,
    /** Arguments of its other starts that these must not have. */
    without: argv,
    server: argv,
    client: argv,
    model: argv,
    permissions: z.strictObject({ ask: argv, auto: argv, skip: argv }),
    /** Arguments of the server that let it write in the directory of the results, `{directory}`. */
    results: argv.default([]),
    decisions,
  }),
  z.strictObject({
    /** HTTP on loopback at `{port}`, for callers that know the `{password}` of its environment. */
    kind: z.literal('opencode'),
    since: version,
    args: argv,
    env: z.record(z.string(), z.string()),
    user: z.string(),
    decisions,
  }),
]);

const launch = z.strictObject({
  program: z.string().min(1),
  args: argv,
  /** Starts a session under an id that Drover chose: `{session}`. Null: the program chooses. */
  session: argv.nullable(),
  /** Takes up the session `{session}`. */
  resume: argv.nullable(),
  /** Takes up the latest session of the directory. */
  resumeLast: argv.nullable(),
  model: argv.nullable(),
  /** Flags by permission mode: `ask` a person, `auto` the program's own judgement, `skip` everything allowed. */
  permissions: z.strictObject({ ask: argv, auto: argv, skip: argv }),
  /** Runs every command unasked, whatever its arguments say. */
  asksNothing: z.boolean().default(false),
  allowedTools: argv.nullable(),
  systemPrompt: argv.nullable(),
  /** Settings document for this start alone: `{file}`. */
  settings: argv.nullable(),
  /** Tells whether that document is the `hooks.json` of a plugin: `{file}` is the plugin's directory then. */
  plugin: z.boolean().default(false),
  /** Variable that names the same document, for a program that takes no argument for it, and the files that it would read without the variable. */
  settingsVariable: z
    .strictObject({ name: z.string().min(1), replaces: z.array(z.string()) })
    .nullable()
    .default(null),
  /**
   * Settings in that document that close the program's own ways to other sessions and to agents inside of it, by what the machine's owner lets it
   * have; `all` closes nothing.
   */
  inner: z.partialRecord(z.enum(['off', 'subagents']), z.record(z.string(), z.json())).default({}),
  /** Arguments that let it write in the directory of its results, `{directory}`, and commands of Drover's own that it may call unasked. */
  results: z.strictObject({ args: argv, allow: z.array(z.string()) }).default({ args: [], allow: [] }),
  /** Way for a second client into the session on the screen. Null: there is none. */
  channel: channel.nullable().default(null),
  /**
   * Sessions that the program keeps in the background: arguments that list them as JSON, and that end `{id}`; the word by which its daemon's
   * command line is known.
   */
  background: z
    .strictObject({ list: argv, stop: argv, daemon: z.string().min(1) })
    .nullable()
    .default(null),
  /** First prompt as an argument: `{prompt}`. Null: it must be typed. */
  prompt: argv.nullable(),
  env: z.strictObject({ set: z.record(z.string(), z.string()), unset: z.array(z.string()) }),
});

const typing = z.strictObject({
  /** `paste` is bracketed paste; `keys` is `send-keys -l`. */
  method: z.enum(['paste', 'keys']),
  /** Milliseconds between seeing the text and Enter. */
  settleMs: z.int().min(0),
  /** Milliseconds after start in which Enter is lost. */
  startupMs: z.int().min(0),
  /** Size from which the program shows (and may send) a paste as something else. Null: never. */
  collapse: z.strictObject({ lines: z.int().positive(), chars: z.int().positive(), verbatim: z.boolean() }).nullable(),
  /** Way to type a text that would be collapsed verbatim. Null: no way. */
  chunks: z
    .strictObject({ multiLineChars: z.int().positive(), singleLineChars: z.int().positive(), gapMs: z.int().min(0) })
    .nullable(),
  /** First characters with a meaning of their own; a space before them takes it away if `spaceHelps`. */
  leading: z.array(z.strictObject({ char: z.string().length(1), means: z.string(), spaceHelps: z.boolean() })),
  newline: z.string(),
  submit: z.string(),
  /** Keys that empty the composer, sent one by one with a look between. */
  clear: z.array(z.string()),
  interrupt: z.array(z.string()),
  /** Keys that end the program, sent one by one. */
  exit: z.array(z.string()),
  /** A prompt sent while a turn runs is kept by the program. */
  queues: z.boolean(),
});

const signals = z.strictObject({
  title: z.boolean(),
  /**
   * File of a conversation: `{home}`, `{slug}` (the working directory with `/` and `.` as `-`) and `{session}` are filled in. Without
   * `{session}` the directory below which the program keeps them under its own names: the newest is the last of those that begin with a date,
   * else the one that was written last.
   */
  transcript: z.string().nullable(),
  structured: z
    .strictObject({
      kind: z.literal('file'),
      where: z.string(),
      status: z.record(z.string(), z.enum(['idle', 'busy', 'waiting', 'retrying', 'background'])),
    })
    .nullable(),
  /**
   * Place in which the program tells what is left of its account: its `conversation`, or the JSON that it gives to the command of a status line.
   * `own`: the file of its user's settings, whose status line Drover's passes the JSON on to.
   */
  quota: z
    .discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('conversation') }),
      z.strictObject({ kind: z.literal('status-line'), own: z.string() }),
    ])
    .nullable()
    .default(null),
  /** Hook names by the program version that first knew them. */
  hooks: z.array(z.strictObject({ since: z.string(), names: z.array(z.string()) })),
  hookMeaning: z.record(
    z.string(),
    z.enum(['started', 'turn-began', 'turn-ended', 'failed', 'permission', 'ended', 'other']),
  ),
});

const answer = z.strictObject({
  kind: dialogKind,
  matches: pattern.optional(),
  /** The first label that is shown is taken. */ accept: z.array(z.string()),
  when: z.enum(['always', 'skip-permissions', 'never']),
});

/** Dialog that asks for trust in the project's files: the project's list of trust answers it. */
const trust = z.strictObject({
  kind: z.enum(TRUST_KINDS),
  /** Beginning of its words, as one line. */
  begins: pattern,
  /** The whole label of the option that gives trust for good. */
  accept: pattern,
  /** The whole label of the option that refuses it for good and goes on. Null or absent: there is none. */
  refuse: pattern.nullable().default(null),
  /** The whole label of every other option. Absent: they do not matter. */
  others: pattern.optional(),
});

/** The whole document. Unknown fields are errors, so that a misspelt one is seen. */
export const profileSchema = z.strictObject({
  format: z.literal(PROFILE_FORMAT),
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  name: z.string().min(1),
  /** Raised with every change of the document. */
  revision: z.int().positive(),
  /** Program versions whose recorded screens it judges right. */
  versions: z.array(z.string()),
  /** Values of `pane_current_command` while the program runs. */
  commands: z.array(z.string()),
  launch,
  typing,
  signals,
  screen,
  errors: z.array(errorWords),
  answers: z.array(answer),
  trust: z.array(trust).default([]),
});

/** A profile as it is written: JSON. */
export type ProfileDocument = z.input<typeof profileSchema>;
/** A profile as it is used: checked, with compiled patterns. */
export type Profile = z.output<typeof profileSchema>;
/** Sign whose presence on the screen says something. */
export type Sign = z.output<typeof sign>;
/** Test of a cell's colours and attributes. */
export type StyleTest = z.output<typeof styleTest>;
export type ComposerShape = Profile['screen']['composer'];
/** A part of the screen. */
export type Region = z.output<typeof region>;
/** A kind of dialog. */
export type DialogKind = z.output<typeof dialogKind>;
