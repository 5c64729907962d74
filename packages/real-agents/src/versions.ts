// Reads the programs that are tried, and their versions. `versions.json` is the only file that says so.
import { z } from 'zod';
import document from './versions.json' with { type: 'json' };

const version = z.string().regex(/^\d+\.\d+\.\d+$/);

const entry = z.strictObject({
  name: z.string(),
  /** The npm package and its exact version. */
  package: z.string(),
  version,
  /** The others of the three newest, newest first. */
  others: z.tuple([version, version]),
  /** The file to start, under `node_modules`; `{platform}` is such as `linux-x64`. */
  program: z.string(),
  /** Node runs the file; else it is a program of its own. */
  runsOnNode: z.boolean(),
});

const schema = z.strictObject({
  claude: entry,
  codex: entry,
  opencode: entry,
  gemini: entry,
  copilot: entry,
  qwen: entry,
  pi: entry,
});

/** Program and where it comes from. */
export type Release = z.output<typeof entry>;
/** The programs, by the name of Drover's profile for each. */
export type AgentName = keyof z.output<typeof schema>;

/** Every program in the order in which they are tried. */
export const RELEASES: Readonly<Record<AgentName, Release>> = schema.parse(document);

/** The names in their order. */
export const AGENT_NAMES: readonly AgentName[] = schema.keyof().options;

/** Release that is tried, with the name of its profile. */
export type Tried = { readonly agent: AgentName; readonly release: Release };

/** @param text A name, or a name with one of its versions, such as `codex@0.171.0`. @throws when there is none such. */
export function releaseNamed(text: string): Tried {
  const [name = '', wanted] = text.split('@');
  const agent = agentNamed(name);
  const release = releasesOf(agent).find(({ version: its }) => its === (wanted ?? RELEASES[agent].version));
  if (release !== undefined) return { agent, release };
  const known = releasesOf(agent).map((one) => one.version);
  throw new Error(`No version "${wanted}" of ${agent} is tried: choose among ${known.join(', ')}`);
}

/** Lists all versions of a program that are tried: the one whose trial is whole first. */
export function releasesOf(agent: AgentName): readonly Release[] {
  const release = RELEASES[agent];
  return [release, ...release.others.map((one) => ({ ...release, version: one }))];
}

/** @throws when the name is none of them. */
export function agentNamed(name: string): AgentName {
  const found = schema.keyof().safeParse(name);
  if (!found.success) throw new Error(`No agent "${name}": choose among ${AGENT_NAMES.join(', ')}`);
  return found.data;
}
