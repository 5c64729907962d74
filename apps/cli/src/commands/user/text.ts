/** Formats people. */
import type { PersonView } from '@drover/api';
import type { Listing } from '../../terminal/lists/listing.ts';
import { plain } from '../../terminal/style.ts';

/** The list of `drover user`. */
export const PEOPLE: Listing<PersonView> = {
  empty: 'There are no people yet. "drover user link" links a chat to you (docs/chat.md).',
  nameOf: ({ name }) => name,
  columns: [
    { name: 'NAME', of: ({ name }) => plain(name) },
    { name: 'ROLE', of: ({ role }) => role },
    { name: 'REACHES', of: ({ project }) => plain(project ?? 'everything') },
    { name: 'IN CHATS', of: ({ identities }) => plain(identities.join(', ') || 'no chat yet') },
    { name: 'ASKED AT', of: ({ places }) => plain(places.join(', ') || 'nowhere') },
  ],
};
