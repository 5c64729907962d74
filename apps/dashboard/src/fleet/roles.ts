/** Says what the role of the person allows. The coordinator decides; a page does not offer what it would refuse. */
import type { SessionView } from '@drover/api';

type Role = SessionView['role'];

const RANK: Readonly<Record<Role, number>> = { worker: -1, viewer: 0, responder: 1, operator: 2, admin: 3 };

/** @returns null if the role suffices; else the reason for people. */
export function lackOf(own: Role, needed: Role): string | null {
  return RANK[own] >= RANK[needed] ? null : `This needs the role ${needed}; your token has the role ${own}`;
}
