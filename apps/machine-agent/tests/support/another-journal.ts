/** Observations of a coordinator that comes back with another journal, about commands that a machine got (docs/adr/0012). */
import type { CommandEnvelope, Observation } from '@drover/protocol';

/** Gives each command an unknown outcome: the other journal does not hold it. */
export function unknownOutcomes(sent: readonly CommandEnvelope[]): readonly Observation[] {
  return sent.flatMap(({ id, body, settings }): readonly Observation[] => {
    if (body.kind !== 'command') return [];
    const result = { kind: 'unknown', why: 'another journal' } as const;
    const { seq } = body;
    return [{ seq: 0, at: 0, body: { kind: 'result', workerId: settings.workerId, commandId: id, seq, result } }];
  });
}
