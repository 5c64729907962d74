/** Finds the profile of a worker, with the additions from this machine's own file. */
import type { Config } from '@drover/config';
import type { ProfileSet, WorkerSettings } from '@drover/protocol';
import { loadProfile, profileNamed, type LoadedProfile, type Profile } from '@drover/screen';
import { CommandError } from '../failure.ts';

/** Profile with its configuration by the machine's owner. */
export interface AgentProfile {
  readonly name: string;
  readonly profile: Profile;
  /** Program and first arguments. */
  readonly program: readonly string[];
  /** Arguments after the profile's own. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Home directory of the account that pays; absent: the user's own. */
  readonly home?: string | undefined;
  /** Agents that the program may have inside of it, or reach beside it. */
  readonly inner: 'off' | 'subagents' | 'all';
  /** True if a second client may join its sessions. */
  readonly channel: boolean;
  /** Isolation from this machine's own file, where no command reaches. */
  readonly isolation: Isolation;
}

/** Isolation of a program from the machine, and exceptions that it may see or change. */
export interface Isolation {
  readonly kind: 'none' | 'bubblewrap';
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

/** Profiles of this machine by name. */
export class Profiles {
  readonly #configured: Config['profiles'];
  readonly #accounts: Config['accounts'];
  #own: ReadonlyMap<string, Profile>;
  #documents: ReadonlyMap<string, Profile>;
  #fleet: ProfileSet = { revision: 0, documents: [] };

  constructor(
    configured: Config['profiles'],
    documents: ReadonlyMap<string, Profile>,
    accounts: Config['accounts'] = {},
  ) {
    this.#configured = configured;
    this.#accounts = accounts;
    this.#own = documents;
    this.#documents = documents;
  }

  /** Revision of the coordinator's profiles that this machine uses. */
  get revision(): number {
    return this.#fleet.revision;
  }

  /** Replaces the documents of the build and of this machine's own files. */
  replaceOwn(documents: ReadonlyMap<string, Profile>): void {
    this.#own = documents;
    this.adopt(this.#fleet);
  }

  /**
   * Adopts the coordinator's profiles, which take precedence over those of the build and of files, except for the program that is started
   * here. A profile that this build cannot read is left out.
   *
   * @returns problems of the profiles that were left out.
   */
  adopt(fleet: ProfileSet): readonly string[] {
    const loaded = fleet.documents.map(({ name, document }) => ({ name, outcome: this.#load(document) }));
    this.#fleet = fleet;
    this.#documents = new Map([
      ...this.#own,
      ...loaded.flatMap(({ outcome }) =>
        outcome.kind === 'ok' ? [[outcome.profile.id, outcome.profile] as const] : [],
      ),
    ]);
    return loaded.flatMap(({ name, outcome }) =>
      outcome.kind === 'ok'
        ? []
        : [`${name}: ${outcome.problems.map(({ path, message }) => `${path}: ${message}`).join('; ')}`],
    );
  }

  /**
   * Loads a document of the coordinator, which says how a program is read and typed into. Program, arguments and environment are this
   * machine's own: of its document, or, for a program without a document, its owner's words.
   */
  #load(document: unknown): LoadedProfile {
    const loaded = loadProfile(document);
    if (loaded.kind === 'invalid') return loaded;
    const { profile } = loaded;
    const own = this.#own.get(profile.id);
    if (own !== undefined) return { kind: 'ok', profile: { ...profile, launch: own.launch } };
    const program = this.#configured[profile.id]?.program?.[0];
    if (program !== undefined)
      return { kind: 'ok', profile: { ...profile, launch: bareLaunch(program, profile.launch) } };
    const message = `this machine starts this program only if its drover.toml names it: [profiles.${profile.id}] program`;
    return { kind: 'invalid', problems: [{ path: 'launch', message }] };
  }

  /** Returns the profile with the login of the worker's account. @throws CommandError `profile-unknown`, `account-unknown`. */
  of({ profile: name, account }: Pick<WorkerSettings, 'profile' | 'account'>): AgentProfile {
    const found = this.find(name);
    if (found !== undefined) return this.#paidBy(found, account);
    const known = [...this.#documents.keys()].join(', ');
    throw new CommandError('profile-unknown', `This machine has no agent profile "${name}": it knows ${known}`);
  }

  /** Home directory of the account that pays; undefined: the user's own. */
  homeOf({ profile, account }: Pick<WorkerSettings, 'profile' | 'account'>): string | undefined {
    return this.#accountOf(profile, account)?.home;
  }

  #accountOf(profile: string, wanted: string | undefined): Config['accounts'][string] | undefined {
    const own = Object.entries(this.#accounts).filter(([, { profiles }]) => profiles.includes(profile));
    return own.find(([name]) => wanted === undefined || name === wanted)?.[1];
  }

  #paidBy(agent: AgentProfile, wanted: string | undefined): AgentProfile {
    const account = this.#accountOf(agent.name, wanted);
    if (account === undefined && wanted !== undefined) {
      const message = `This machine has no account "${wanted}" for "${agent.name}": add [accounts.${wanted}] with this profile to its drover.toml`;
      throw new CommandError('account-unknown', message);
    }
    if (account === undefined) return agent;
    const { env, home } = account;
    // A cage has a home of its own, with a copy of the login.
    const isMoved = home !== undefined && agent.isolation.kind === 'none';
    return { ...agent, env: { ...(isMoved && { HOME: home }), ...env, ...agent.env }, home };
  }

  /** Lists the profiles that this machine can start, as far as a profile names its program. */
  all(): readonly AgentProfile[] {
    const names = [...new Set([...this.#documents.keys(), ...Object.keys(this.#configured)])].toSorted();
    return names.flatMap((name) => {
      const found = this.find(name);
      return found === undefined || found.program[0]?.includes('{') === true ? [] : [found];
    });
  }

  find(name: string): AgentProfile | undefined {
    const profile = profileNamed(name, this.#documents);
    if (profile === null) return undefined;
    const own = this.#configured[name];
    const { program, args, env } = profile.launch;
    return {
      name,
      profile,
      program: [...(own?.program ?? [program]), ...args],
      args: own?.args ?? [],
      env: { ...env.set, ...own?.env },
      inner: own?.inner ?? 'subagents',
      channel: own?.channel ?? true,
      isolation: {
        kind: own?.isolation ?? 'none',
        reads: own?.isolation_reads ?? [],
        writes: own?.isolation_writes ?? [],
      },
    };
  }
}

/** Launch of a program that only its owner describes: no argument but those of drover.toml. */
function bareLaunch(program: string, { asksNothing }: Profile['launch']): Profile['launch'] {
  return {
    program,
    args: [],
    session: null,
    resume: null,
    resumeLast: null,
    model: null,
    permissions: { ask: [], auto: [], skip: [] },
    asksNothing,
    allowedTools: null,
    systemPrompt: null,
    settings: null,
    plugin: false,
    settingsVariable: null,
    inner: {},
    results: { args: [], allow: [] },
    channel: null,
    background: null,
    prompt: null,
    env: { set: {}, unset: [] },
  };
}
