/** How do the coordinator's profiles come into use here, and stay so after a restart without a coordinator? */
import { profileSet, type ProfileSet } from '@drover/protocol';
import type { Log } from '../ports.ts';
import type { AgentDatabase } from '../store/database.ts';
import type { Profiles } from './agent-profile.ts';

/** The name under which the last set is kept. */
const FACT = 'profiles';

/** The profiles of the fleet on this machine. */
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

  /** What this machine has. */
  get revision(): number {
    return this.#profiles.revision;
  }

  /** Uses a set from now on. The one that is in use already changes nothing. */
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
