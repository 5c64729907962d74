/** Payload of a button, in at most 64 bytes (Telegram's limit): the question, its asking and the option. */
import type { Button } from '@drover/protocol/channels';
import { button as buttonSchema } from '@drover/protocol/channels';

/** Bytes that a button may carry in every channel. */
export const PAYLOAD_BYTES_MAX = 64;

/** Returns the payload of a button; null if it is too long. */
export function payloadOf(button: Button): string | null {
  const payload = written(button);
  return Buffer.byteLength(payload) <= PAYLOAD_BYTES_MAX ? payload : null;
}

function written(button: Button): string {
  switch (button.kind) {
    case 'answer':
      return `a.${shortUuid(button.escalation)}.${button.asked}.${button.option}`;
    case 'ack':
      return `k.${shortUuid(button.escalation)}`;
    case 'accept':
      // A beginning of the commit is enough: the coordinator compares it with what this person reviewed.
      return `m.${button.head.slice(0, 12)}.${button.worker}`;
    default:
      return button satisfies never;
  }
}

/** Parses the button of a payload; null for a payload that no bot of this kind made. */
export function readPayload(payload: string): Button | null {
  const [kind, first = '', ...rest] = payload.split('.');
  const read = buttonSchema.safeParse(partsOf(kind, first, rest));
  return read.success ? read.data : null;
}

function partsOf(kind: string | undefined, first: string, rest: readonly string[]): unknown {
  switch (kind) {
    case 'a':
      return { kind: 'answer', escalation: longUuid(first), asked: numberOf(rest[0]), option: numberOf(rest[1]) };
    case 'k':
      return { kind: 'ack', escalation: longUuid(first) };
    case 'm':
      return { kind: 'accept', head: first, worker: rest.join('.') };
    default:
      return null;
  }
}

function numberOf(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/u.test(text) ? Number(text) : null;
}

function shortUuid(uuid: string): string {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('base64url');
}

function longUuid(short: string): string {
  return Buffer.from(short, 'base64url')
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5');
}
