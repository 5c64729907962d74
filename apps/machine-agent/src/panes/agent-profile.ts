/** Which profile does a seat use, and what does this machine's own file add to it? */
import type { Config } from '@drover/config';
import type { Seat } from '@drover/protocol';
import { profileNamed, type Profile } from '@drover/screen';
import { OrderError } from '../failure.ts';

/** A profile with what the machine's owner configured for it. */
export interface AgentProfile {
  readonly name: string;
  readonly profile: Profile;
  /** Program and first arguments. */
  readonly program: readonly string[];
  /** Arguments after the profile's own. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The profiles of this machine by name. */
export class Profiles {
  readonly #configured: Config['profiles'];
  readonly #documents: ReadonlyMap<string, Profile>;

  constructor(configured: Config['profiles'], documents: ReadonlyMap<string, Profile>) {
    this.#configured = configured;
    this.#documents = documents;
  }

  /** @throws OrderError `profile-unknown`. */
  of({ profile: name }: Pick<Seat, 'profile'>): AgentProfile {
    const found = this.find(name);
    if (found !== undefined) return found;
    const known = [...this.#documents.keys()].join(', ');
    throw new OrderError('profile-unknown', `This machine has no agent profile "${name}": it knows ${known}`);
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
    };
  }
}
