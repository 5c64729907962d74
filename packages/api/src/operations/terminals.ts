/** Terminals. */
import { terminalInput } from '../terminals/terminals.ts';
import { mutation } from './define.ts';

/** Under `terminals`. Who may type, and who only watches, is a matter of roles: so there are two. */
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
  // A mutation, because it asks a machine.
  'terminals.locate': mutation('operator', 'project', {
    input: terminalInput,
    handle: ({ fleet, actor, input }) => fleet.locatePane(input, actor),
  }),
};
