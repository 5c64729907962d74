/** Operations on terminals. */
import { terminalInput } from '../terminals/terminals.ts';
import { mutation } from './define.ts';

/** Two operations, because roles decide who may type and who may only watch. */
export const terminalOperations = {
  'terminals.watch': mutation('viewer', 'project', {
    isSecret: true,
    input: terminalInput,
    handle: ({ fleet, actor, input }) => fleet.openTerminal({ ...input, types: false }, actor),
  }),
  'terminals.type': mutation('operator', 'project', {
    isSecret: true,
    input: terminalInput,
    handle: ({ fleet, actor, input }) => fleet.openTerminal({ ...input, types: true }, actor),
  }),
  // Mutation, because it asks a machine.
  'terminals.locate': mutation('operator', 'project', {
    input: terminalInput,
    handle: ({ fleet, actor, input }) => fleet.locatePane(input, actor),
  }),
};
