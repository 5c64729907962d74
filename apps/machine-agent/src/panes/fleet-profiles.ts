/** Puts the coordinator's profiles into use here, also after a restart without a coordinator. */
import type { Log } from '@drover/base';
import { profileSet, type ProfileSet } from '@drover/protocol';
import type { AgentDatabase } from '../store/database.ts';
import type { Profiles } from './agent-profile.ts';

/** Name under which the last set is kept. */
const FACT = 'profiles';

/** Profiles of the fleet on this machine. */
export class FleetProfiles {
  readonly #db: AgentDatabase;
  readonly #profiles: Profiles;
  readonly #log: Log;

  constructor(db: AgentDatabase, profiles: Profiles, log: Log) {
    this.#db = db;
    this.#profiles = profiles;
    this.#log = log;
    const kept = profileSet.safeParse(parse(db.maybeFact(FACT)));
    if (kept.success) this.#use(kept.data);
  }

  /** Revision that this machine has. */
  get revision(): number {
    return this.#profiles.revision;
  }

  /** Uses a set from now on. A set that is already in use changes nothing. */
  adopt(set: ProfileSet): void {
    if (set.revision === this.revision) return;
    this.#db.setFact(FACT, JSON.stringify(set));
    this.#use(set);
    this.#log('info', `Agent profiles of revision ${set.revision} are in use`);
  }

  #use(set: ProfileSet): void {
    for (const problem of this.#profiles.adopt(set)) {
      this.#log('warn', `An agent profile of the coordinator cannot be used here: ${problem}`);
    }
  }
}

function parse(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
