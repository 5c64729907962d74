/** Lists what a project's files may do only if a person trusts them: tools that run them, and what agent programs ask at their start. */

/** Kinds that are asked about a tool, by its name. */
export const TOOL_KINDS = ['direnv', 'mise'] as const;

export type ToolKind = (typeof TOOL_KINDS)[number];

/** Kinds of trust. */
export const TRUST_KINDS = [...TOOL_KINDS, 'folder', 'imports', 'mcp', 'hooks', 'api-key'] as const;

export type TrustKind = (typeof TRUST_KINDS)[number];

/** Effect of each kind, in words that follow "lets". */
export const TRUST_MEANING: Readonly<Record<TrustKind, string>> = {
  direnv: 'direnv run the ".envrc" of the project',
  mise: 'mise run the configuration of the project',
  folder: 'agents work in the folder of the project',
  imports: 'agents read instructions from files elsewhere',
  mcp: 'agents start the MCP servers that the project names',
  hooks: 'agents run the hooks that the project names',
  'api-key': 'agents pay with an API key in their environment',
};

/** A project's decision on each kind. Absent: no person has decided yet. */
export type Trust = Readonly<Partial<Record<TrustKind, boolean>>>;

/**
 * Decisions that hold until a person decides otherwise. Whoever gives a project to workers lets them work in its folder; a key that is there for
 * another program costs money.
 */
const UNTIL_DECIDED: Trust = { folder: true, 'api-key': false };

/** Tells whether a kind is trusted; undefined: a person has to be asked. */
export function trusts(trust: Trust, kind: TrustKind): boolean | undefined {
  return trust[kind] ?? UNTIL_DECIDED[kind];
}

/** A file of a place that a tool runs only if trusted, and about which no person has decided. */
export interface Untrusted {
  readonly kind: ToolKind;
  /** The path in the place. */
  readonly file: string;
}

/** Returns the first file about which a person has to be asked; undefined: there is none. */
export function undecided(trust: Trust, files: readonly Untrusted[]): Untrusted | undefined {
  return files.find(({ kind }) => trusts(trust, kind) === undefined);
}
