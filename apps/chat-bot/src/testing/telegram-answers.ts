/** Telegram's answers to calls: https://core.telegram.org/bots/api#making-requests. */
import type { PeerAnswer } from './http-peer.ts';

/** Answers a successful call. */
export function ok(result: unknown): PeerAnswer {
  return { status: 200, json: { ok: true, result } };
}

/** Refuses a call. */
export function refusal(code: number, description: string): PeerAnswer {
  return { status: code, json: { ok: false, error_code: code, description } };
}

/** Refuses a call because the group is a supergroup by now. */
export function movedTo(to: number): PeerAnswer {
  const description = 'Bad Request: group chat was upgraded to a supergroup chat';
  const parameters = { migrate_to_chat_id: to };
  return { status: 400, json: { ok: false, error_code: 400, description, parameters } };
}
