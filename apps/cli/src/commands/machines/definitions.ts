/** Which commands has an operator for the machines of a fleet? */
import type { Command } from 'commander';
import type { Define } from '../../program/program.ts';

/** Adds `drover machines` and its subcommands. */
export function addMachines(program: Command, define: Define): void {
  const machines = define(program, {
    usage: 'machines',
    about: 'show the machines of the fleet',
    example: 'drover machines\ndrover machines invite\ndrover machines revoke laptop',
  });
  define(machines, {
    usage: 'list',
    name: 'machines',
    about: 'the same as "drover machines"',
    example: "drover machines list --json | jq -r '.[].name'",
  });
  define(machines, {
    usage: 'invite',
    name: 'invite',
    about: 'make a single-use token that lets another machine join, or a revoked one come back',
    example: 'drover machines invite --ttl 60',
  }).option('--ttl <minutes>', 'how long it is good for', '10');
  const args = { name: 'its name, as "drover machines" shows it' };
  define(machines, {
    usage: 'revoke <name>',
    name: 'machines-revoke',
    about: 'refuse a machine from now on; only a new invitation lets it in again',
    args,
    example: 'drover machines revoke laptop\ndrover machines revoke laptop --yes',
  }).option('--yes', 'do not ask');
  define(machines, {
    usage: 'rotate <name>',
    name: 'machines-rotate',
    about: 'have a machine make a new key and show it at its next hello',
    args,
    example: 'drover machines rotate laptop --yes',
  }).option('--yes', 'do not ask');
  define(machines, {
    usage: 'remove <name>',
    name: 'machines-remove',
    about: 'forget a machine that has no workers',
    args,
    example: 'drover machines remove laptop\ndrover machines remove laptop --force --yes',
  })
    .option('--force', 'also with workers: they are forgotten, and everything of theirs stays on the machine')
    .option('--yes', 'do not ask');
}
