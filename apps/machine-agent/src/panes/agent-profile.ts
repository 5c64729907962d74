/** Which profile does a worker use, and what does this machine's own file add to it? */
import type { Config } from '@drover/config';
import type { ProfileSet, WorkerSettings } from '@drover/protocol';
import { loadProfile, profileNamed, type LoadedProfile, type Profile } from '@drover/screen';
import { CommandError } from '../failure.ts';

/** A profile with what the machine's owner configured for it. */
export interface AgentProfile {
  readonly name: string;
  readonly profile: Profile;
  /** Program and first arguments. */
  readonly program: readonly string[];
  /** Arguments after the profile's own. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Of this machine's own file, where no command reaches. */
  readonly isolation: Isolation;
}

/** What keeps a program from the machine, and what it may see or change of it nevertheless. */
export interface Isolation {
  readonly kind: 'none' | 'bubblewrap';
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

/** The profiles of this machine by name. */
export class Profiles {
  readonly #configured: Config['profiles'];
  #own: ReadonlyMap<string, Profile>;
  #documents: ReadonlyMap<string, Profile>;
  #fleet: ProfileSet = { revision: 0, documents: [] };

  constructor(configured: Config['profiles'], documents: ReadonlyMap<string, Profile>) {
    this.#configured = configured;
    this.#own = documents;
    this.#documents = documents;
  }

  /** The revision of the coordinator's profiles that this machine uses. */
  get revision(): number {
    return this.#fleet.revision;
  }

  /** The documents of the build and of this machine's own files, from now on. */
  replaceOwn(documents: ReadonlyMap<string, Profile>): void {
    this.#own = documents;
    this.adopt(this.#fleet);
  }

  /**
   * The coordinator's profiles, from now on; they hold before those of the build and of files, but for what is started
   * here. One that this build cannot read is left out.
   *
   * @returns what is wrong with those that were left out.
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
   * A document of the coordinator says how a program is read and typed into. Which program, arguments and environment are
   * started is this machine's own: its document's, or the words of its owner for a program that it has no document of.
   */
  #load(document: unknown): LoadedProfile {
    const loaded = loadProfile(document);
    if (loaded.kind === 'invalid') return loaded;
    const { profile } = loaded;
    const own = this.#own.get(profile.id);
    if (own !== undefined) return { kind: 'ok', profile: { ...profile, launch: own.launch } };
    const program = this.#configured[profile.id]?.program?.[0];
    if (program !== undefined) return { kind: 'ok', profile: { ...profile, launch: bareLaunch(program) } };
    const message = `this machine starts no such program unless its drover.toml names one: [profiles.${profile.id}] program`;
    return { kind: 'invalid', problems: [{ path: 'launch', message }] };
  }

  /** @throws CommandError `profile-unknown`. */
  of({ profile: name }: Pick<WorkerSettings, 'profile'>): AgentProfile {
    const found = this.find(name);
    if (found !== undefined) return found;
    const known = [...this.#documents.keys()].join(', ');
    throw new CommandError('profile-unknown', `This machine has no agent profile "${name}": it knows ${known}`);
  }

  /** Those that this machine can start, as far as a profile says which program that is. */
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
      isolation: {
        kind: own?.isolation ?? 'none',
        reads: own?.isolation_reads ?? [],
        writes: own?.isolation_writes ?? [],
      },
    };
  }
}

/** A program of which only its owner says how it is started: no argument but those of drover.toml. */
function bareLaunch(program: string): Profile['launch'] {
  return {
    program,
    args: [],
    session: null,
    resume: null,
    resumeLast: null,
    model: null,
    permissions: { ask: [], auto: [], skip: [] },
    allowedTools: null,
    systemPrompt: null,
    settings: null,
    serve: null,
    prompt: null,
    env: { set: {}, unset: [] },
  };
}
