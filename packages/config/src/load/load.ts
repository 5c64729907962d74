// Loads the configuration of this root: option, then environment, then file, then default.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '@drover/base';
import { parse, TomlError } from 'smol-toml';
import type { Environment } from '../environment.ts';
import { readOverrides } from './overrides.ts';
import { policyDocuments, policyProblems } from '../policy/policy.ts';
import { problemsOf, type ConfigProblem, type Origin } from './problems.ts';
import { configSchema, type Config, type DeepReadonly } from '../schema/schema.ts';
import { CONFIG_FILE } from '../directories/root.ts';
import { lineOf, tomlLines } from './toml-lines.ts';

/** Sources of the configuration. */
type ConfigInput = {
  /** Absolute path of the directory that holds `drover.toml`. */
  readonly root: string;
  /** The file that the text comes from, for messages. Absent: `drover.toml` of the root. */
  readonly file?: string;
  readonly environment: Environment;
  /** Values from the command line by dotted key, such as `{ 'coordinator.port': 0 }`. Undefined means not given. */
  readonly options?: Readonly<Record<string, unknown>>;
};

/** A configuration that can be used, or everything that is wrong with it at once. */
export type ConfigOutcome =
  | {
      readonly kind: 'loaded';
      readonly config: Config;
      /** Returns where the value of a dotted key came from. */
      readonly originOf: (key: string) => Origin | { readonly kind: 'default' };
      /** Things that look like a mistake but change nothing. */
      readonly warnings: readonly string[];
    }
  | { readonly kind: 'invalid'; readonly problems: readonly ConfigProblem[] };

/** Reads `drover.toml` of a root and everything that overrides it. Call it again to reload. */
export async function loadConfig(input: ConfigInput): Promise<ConfigOutcome> {
  const file = path.join(input.root, CONFIG_FILE);
  try {
    return parseConfig(await readFile(file, 'utf8'), input);
  } catch (error) {
    const reason = messageOf(error);
    return invalid(`cannot read the configuration (${reason}); \`drover init\` writes a new one`, file, undefined);
  }
}

/** The same for a text that is already read. */
export function parseConfig(
  text: string,
  { root, environment, options = {}, file = path.join(root, CONFIG_FILE) }: ConfigInput,
): ConfigOutcome {
  let values: Record<string, unknown>;
  try {
    values = parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return invalid(`is not TOML: ${(error.message.split('\n')[0] ?? '').trim()}`, file, error.line);
  }

  const origins = new Map<string, Origin>();
  const { overrides, warnings } = readOverrides(environment.variables);
  for (const { path: key, value, variable } of overrides) {
    put(values, key, value);
    origins.set(key.join('.'), { kind: 'environment', variable });
  }
  for (const [key, value] of Object.entries(options)) {
    if (value === undefined) continue;
    put(values, key.split('.'), value);
    origins.set(key, { kind: 'option' });
  }

  const lines = tomlLines(text);
  const originOf = (key: readonly string[]): Origin =>
    originAround(origins, key) ?? { kind: 'file', file, line: lineOf(lines, key) };
  const parsed = configSchema.safeParse(values, { reportInput: true });
  if (!parsed.success) return { kind: 'invalid', problems: problemsOf(parsed.error.issues, originOf) };
  const wrong = policyProblems(policyDocuments(parsed.data));
  if (wrong.length > 0) {
    const problems = wrong.map(({ path: key, message }) => ({ key: key.join('.'), message, origin: originOf(key) }));
    return { kind: 'invalid', problems };
  }
  return {
    kind: 'loaded',
    config: deepFreeze(withAbsolutePaths(parsed.data, { root, home: environment.home })),
    originOf: (key) =>
      origins.get(key) ?? (lines.has(key.split('.').join('\0')) ? originOf(key.split('.')) : { kind: 'default' }),
    warnings,
  };
}

function invalid(message: string, file: string, line: number | undefined): ConfigOutcome {
  return { kind: 'invalid', problems: [{ key: '', message, origin: { kind: 'file', file, line } }] };
}

/** Sets a value at a path. A value of the wrong type in its way stays, so that the schema complains about it. */
function put(values: Record<string, unknown>, key: readonly string[], value: unknown): void {
  const [first = '', ...rest] = key;
  if (rest.length === 0) {
    values[first] = value;
    return;
  }
  const inner = values[first] ?? {};
  if (!isTable(inner)) return;
  values[first] = inner;
  put(inner, rest, value);
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function originAround(origins: ReadonlyMap<string, Origin>, key: readonly string[]): Origin | undefined {
  for (let length = key.length; length > 0; length -= 1) {
    const origin = origins.get(key.slice(0, length).join('.'));
    if (origin !== undefined) return origin;
  }
  return undefined;
}

type Parsed = ReturnType<typeof configSchema.parse>;

/** Paths in the file are relative to it; a URL or `host:path`, as git writes it, is none. */
function withAbsolutePaths(config: Parsed, { root, home }: { root: string; home: string }): Parsed {
  const absolute = (text: string): string => path.resolve(root, text.replace(/^~(?=\/|$)/u, home));
  const absoluteUnlessRemote = (text: string): string =>
    /^[a-z][a-z0-9+.-]*:\/\/|^[^/]+:/iu.test(text) && !path.isAbsolute(text) ? text : absolute(text);
  return {
    ...config,
    repo: { ...config.repo, source: absoluteUnlessRemote(config.repo.source) },
    redact: { ...config.redact, files: config.redact.files.map(absolute) },
    agent: {
      ...config.agent,
      ...(config.agent.workspace !== undefined && { workspace: absolute(config.agent.workspace) }),
      checkouts: Object.fromEntries(Object.entries(config.agent.checkouts).map(([name, at]) => [name, absolute(at)])),
      allowed_roots: config.agent.allowed_roots.map(absolute),
      ...(config.agent.allowed_sources !== undefined && {
        allowed_sources: config.agent.allowed_sources.map(absoluteUnlessRemote),
      }),
    },
  };
}

function deepFreeze<T>(value: T): DeepReadonly<T>;
function deepFreeze(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) deepFreeze(inner);
    Object.freeze(value);
  }
  return value;
}
