/** Makes a delivery for an agent, as the policy would. */
import type { Command } from '@drover/core';

export function deliverCommand(
  incarnation: string,
  text: string,
  change: Partial<Extract<Command, { kind: 'deliver' }>> = {},
): Command {
  return {
    kind: 'deliver',
    incarnation,
    text,
    method: 'profile',
    settleMs: 0,
    mayQueue: false,
    clearFirst: false,
    enterOnly: false,
    textId: 'text',
    ...change,
  };
}
