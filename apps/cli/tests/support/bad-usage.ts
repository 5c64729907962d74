/** Wrong arguments, and the messages of `drover` about them. */

/** A call. */
export interface Case {
  readonly what: string;
  readonly args: readonly string[];
  readonly status: number;
  readonly says: RegExp;
}

/** Calls that are wrong in any fleet. */
export const USAGE: readonly Case[] = [
  {
    what: 'an unknown command',
    args: ['statsu'],
    status: 2,
    says: /unknown command 'statsu'\n\(Did you mean status\?\)\nSee "drover --help"/,
  },
  {
    what: 'an unknown option',
    args: ['status', '--wach'],
    status: 2,
    says: /unknown option '--wach'\n\(Did you mean --watch\?\)\nSee "drover status --help"/,
  },
  { what: 'a missing argument', args: ['add'], status: 2, says: /missing required argument 'name'/ },
  { what: 'one argument too many', args: ['why', 'adam', 'bea'], status: 2, says: /too many arguments/ },
  { what: 'an argument where none is', args: ['down', 'now'], status: 2, says: /too many arguments/ },
  {
    what: 'an unknown command of machine',
    args: ['machine', 'lst'],
    status: 2,
    says: /unknown command 'machine lst'; there are: add, cordon, .*list.*\nSee "drover machine --help"/,
  },
  {
    what: 'an unknown command of project, with a name',
    args: ['project', 'rm', 'shop'],
    status: 2,
    says: /unknown command 'project rm'; there are: add, .*remove/,
  },
  {
    what: 'a file to apply that is missing',
    args: ['project', 'apply', '-f', 'no.toml'],
    status: 4,
    says: /There is no file \S*no\.toml/,
  },
  {
    what: 'a directory to apply',
    args: ['project', 'apply', '-f', '.'],
    status: 2,
    says: /is a directory: name its drover\.toml/,
  },
  {
    what: 'a branch that is none',
    args: ['project', 'add', 'x', '--source', 'https://example.com/x.git', '--branch', 'a b'],
    status: 2,
    says: /"a b" is not the name of a branch; expected one such as main/,
  },
  { what: 'a port that is none', args: ['up', '--port', 'http'], status: 2, says: /--port takes a whole number/ },
  { what: 'a limit that is none', args: ['logs', 'adam', '-n', '0'], status: 2, says: /--limit takes a whole number/ },
  { what: 'no worker to remove', args: ['nuke'], status: 2, says: /Name one worker, or give --all/ },
  { what: 'both one and all', args: ['nuke', 'adam', '--all'], status: 2, says: /Name one worker, or give --all/ },
];
