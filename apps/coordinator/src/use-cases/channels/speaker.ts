/** Identifies the speaker behind a bot: the person that an identity is linked to, with no more rights than the bot's token has. X10. */
import type { Actor, BotCall } from '@drover/api';
import { refusalOf, ROUTES } from '@drover/api';
import type { RouteName } from '@drover/api';
import type { PersonRow } from '@drover/store';
import { lesser } from '../../facts/people/roles.ts';

/** Reply to a person whom Drover does not know. */
export const NOT_LINKED =
  'I do not know you yet. Run "drover user link" on a computer of the fleet and send me the code that it prints: /link CODE';

/** Makes the person an actor, through this bot. */
export function speakerOf({ channel, by }: BotCall, person: PersonRow, subject: string): Actor {
  return {
    kind: 'person',
    id: person.id,
    name: person.name,
    role: lesser(person.role, by.role),
    // If both are bound to different projects, nothing is in scope.
    project:
      by.project !== null && person.projectId !== null && by.project !== person.projectId
        ? NOWHERE
        : (person.projectId ?? by.project),
    worker: null,
    via: by.name,
    place: `${channel}:${subject}`,
  };
}

/** An id that no project has. */
const NOWHERE = '00000000-0000-0000-0000-000000000000';

/** Tells why this person may not use the route by this bot; null: they may. */
export function chatRefusal(route: RouteName, actor: Actor, { by }: BotCall): string | null {
  const refusal = refusalOf(ROUTES[route], actor);
  if (refusal === null) return null;
  const needed = ROUTES[route].role;
  const isBotsFault = actor.role === by.role;
  return isBotsFault
    ? `This needs the role ${needed}, and this bot allows at most ${by.role}: set "chat.role" in drover.toml, or use a terminal`
    : `This needs the role ${needed}; ${actor.name} has the role ${actor.role}`;
}
