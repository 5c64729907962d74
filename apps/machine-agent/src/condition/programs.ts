/** Finds programs and their versions on this machine. Looks for them without starting them; asks for a version once for each file. */
import { isAbsolute } from 'node:path';
import type { Compared } from '@drover/core';
import type { Host } from '@drover/host';
import { type Condition, PROGRAMS_TOLD_MAX } from '@drover/protocol';
import { wayInto } from '../channels/address.ts';
import { parseVersion } from '../host/program-versions.ts';
import type { VersionAnswer } from '../host/version-line.ts';
import type { AgentProfile } from '../panes/agent-profile.ts';

type Told = Condition['programs'][number];

/** Longest version, and longest words, that are reported, in characters: the protocol's limit. */
const VERSION_MAX = 200;

interface ProgramPorts {
  readonly host: Pick<Host, 'findProgram' | 'stat'>;
  /** Current profiles of this machine. */
  readonly profiles: () => readonly AgentProfile[];
  /** Profiles that the machine's owner allows; null: all. */
  readonly allowed: readonly string[] | null;
  /** Variables in the environment of a profile's agents that hold keys of an account; undefined: not known. */
  readonly keysOf: (profile: AgentProfile) => readonly string[] | undefined;
  /** First line of a program's version output. */
  readonly versionOf: (program: string, args: readonly string[]) => Promise<VersionAnswer>;
  /** Comparisons with a version that no trial has seen. */
  readonly compared: (subject: { readonly profile: string; readonly version: string }) => Compared;
}

/** Tools that Drover uses, or a repository may want. */
const TOOLS: readonly { readonly name: string; readonly flag: string }[] = [
  { name: 'git', flag: '--version' },
  { name: 'tmux', flag: '-V' },
  { name: 'git-lfs', flag: '--version' },
];

/** Readings without a question after each try that got no answer: that may be a loaded machine. After the last try there is none. */
const PAUSES: readonly number[] = [1, 10];

interface Known {
  readonly file: string;
  readonly version: string | null;
  readonly tries: number;
  /** Readings until the next try; null: there is none. */
  readonly pause: number | null;
}

/** Remembers versions, and that there is none, until the file of a program changes. */
export class Programs {
  readonly #ports: ProgramPorts;
  readonly #versions = new Map<string, Known>();
  /** Versions that no trial has seen, by the profile's name. */
  readonly #untried = new Map<string, string>();

  constructor(ports: ProgramPorts) {
    this.#ports = ports;
  }

  /** Version of a profile's program that no trial has seen; null: a trial has, or it is not known. */
  untried(profile: string): string | null {
    return this.#untried.get(profile) ?? null;
  }

  /** @param ask Also asks new or changed programs for their versions, one after another: starting a coding agent takes a second. */
  async read(ask: boolean): Promise<readonly Told[]> {
    const { profiles, allowed } = this.#ports;
    const told: Told[] = [];
    for (const { name, flag } of TOOLS) told.push(await this.#told({ of: 'tool', name, argv: [name], flag, ask }));
    for (const profile of profiles().slice(0, PROGRAMS_TOLD_MAX - TOOLS.length)) {
      const { name, program } = profile;
      if (allowed !== null && !allowed.includes(name)) {
        told.push({ of: 'profile', name, state: 'forbidden', version: null });
        continue;
      }
      const found = await this.#told({ of: 'profile', name, argv: program, flag: '--version', ask });
      const keys = this.#ports.keysOf(profile);
      const { version } = found;
      const hears = version === null ? {} : { hears: hearsBy(profile, version).slice(0, VERSION_MAX) };
      told.push({ ...found, ...(keys !== undefined && { keys }), ...hears, ...this.#compared(profile, version) });
    }
    return told;
  }

  #compared({ name, profile }: AgentProfile, line: string | null): Pick<Told, 'untried'> {
    const version = untriedIn(profile.versions, line);
    if (version === null) {
      this.#untried.delete(name);
      return {};
    }
    this.#untried.set(name, version);
    return { untried: { version, ...this.#ports.compared({ profile: name, version }) } };
  }

  async #told({ of, name, argv, flag, ask }: Asked): Promise<Told> {
    const [program = '', ...args] = argv;
    // A relative path is looked up in each worktree, not here.
    if (program.includes('/') && !isAbsolute(program)) return { of, name, state: 'present', version: null };
    const file = await fileOf(this.#ports.host, program);
    if (file === null) return { of, name, state: 'missing', version: null };
    const key = argv.join('\0');
    const last = this.#versions.get(key);
    const known = last?.file === file ? last : null;
    if (!ask || (known !== null && known.pause !== 0)) {
      if (ask && known?.pause) this.#versions.set(key, { ...known, pause: known.pause - 1 });
      return { of, name, state: 'present', version: known?.version ?? null };
    }
    const answer = await this.#ports.versionOf(program, [...args, flag]);
    const version = answer.kind === 'told' ? answer.line.slice(0, VERSION_MAX) : null;
    const tries = known?.tries ?? 0;
    const pause = answer.kind === 'silent' ? (PAUSES[tries] ?? null) : null;
    this.#versions.set(key, { file, version, tries: tries + 1, pause });
    return { of, name, state: 'present', version };
  }
}

/** Version in a program's own words, unless a trial has seen it. A profile that names none claims nothing about any. */
function untriedIn(tried: readonly string[], line: string | null): string | null {
  const version = parseVersion(line ?? '')?.join('.');
  return version === undefined || tried.length === 0 || tried.includes(version) ? null : version;
}

/** Ways to the sessions of a program. The screen is among them always. */
function hearsBy(profile: AgentProfile, version: string): string {
  const isCaged = profile.isolation.kind !== 'none';
  const way = wayInto(profile, {
    version: parseVersion(version),
    isCaged,
    isTrusted: true,
    permissions: null,
    former: null,
  });
  return way.kind === 'open' ? 'a channel of its program, and its screen' : `its screen alone: ${way.why}`;
}

interface Asked {
  readonly of: Told['of'];
  readonly name: string;
  readonly argv: readonly string[];
  readonly flag: string;
  readonly ask: boolean;
}

/** File that is started for a program, with data that changes when it is replaced; null: there is no executable file. */
async function fileOf(host: ProgramPorts['host'], program: string): Promise<string | null> {
  const place = await host.findProgram(program);
  const found = place === undefined ? undefined : await host.stat(place);
  return found === undefined ? null : `${place} ${found.inode} ${found.size} ${found.modifiedAt}`;
}
