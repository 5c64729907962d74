/** Defines the token that `drover machine invite` prints: a secret, and the identity of the coordinator that it is for. */
import { coordinatorIdentity } from './names.ts';

/** The parts of a join token. `secret` goes over the wire, to a coordinator that has proved to be `coordinator`. */
export interface Invitation {
  readonly secret: string;
  readonly coordinator: string;
}

/** Makes one word of printable characters, which people, secret scanners and redaction recognize by its beginning. */
export function invitationText({ secret, coordinator }: Invitation): string {
  return `${PREFIX}.${secret}.${coordinator}`;
}

/** @returns null for anything that is not a whole token. */
export function readInvitation(text: string): Invitation | null {
  const [prefix, secret = '', coordinator = '', ...rest] = text.trim().split('.');
  const isWhole = prefix === PREFIX && rest.length === 0 && /^[A-Za-z0-9_-]{1,200}$/.test(secret);
  return isWhole && coordinatorIdentity.safeParse(coordinator).success ? { secret, coordinator } : null;
}

const PREFIX = 'drover-join';
