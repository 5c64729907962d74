/** Formats people. */
import type { PersonView } from '@drover/api';
import type { Page } from '../../program/answer.ts';
import { paint, plain, table } from '../../terminal/style.ts';

/** Formats a line for each person. */
export function peopleText(people: readonly PersonView[], { terminal }: Page): string {
  if (people.length === 0) return 'There are no people yet. "drover user link" links a chat to you (docs/chat.md).';
  const head = ['NAME', 'ROLE', 'REACHES', 'IN CHATS', 'ASKED AT'].map((cell) => paint(cell, 'dim', terminal.colours));
  const lines = people.map(({ name, role, project, identities, places }) => [
    plain(name),
    role,
    plain(project ?? 'everything'),
    plain(identities.join(', ') || 'no chat yet'),
    plain(places.join(', ') || 'nowhere'),
  ]);
  return table([head, ...lines], terminal.columns);
}
