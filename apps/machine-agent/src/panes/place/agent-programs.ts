/** Tells command lines of coding agents from others, by the profiles of the machine. */
import { basename } from 'node:path';
import type { AgentProfile } from '../agent-profile.ts';

/** Programs whose name says nothing about the script that they run. */
const INTERPRETERS = /^-?(?:node|nodejs|bun|deno|python[\d.]*|ruby|env|sh|bash|dash|zsh|fish|npx)$/u;

/** Program that a command line runs, or the script that an interpreter was given. */
interface Run {
  readonly name: string;
  readonly path: string;
  readonly isScript: boolean;
}

/** Tells whether a command line runs the program of one of the profiles, started in whatever way. */
export function agentPrograms(agents: readonly AgentProfile[]): (words: readonly string[]) => boolean {
  const runs = agents.flatMap(({ program }) => runOf(program) ?? []);
  // Only the whole path tells scripts such as `cli.js` from one another.
  const paths = new Set(runs.filter(({ isScript }) => isScript).map(({ path }) => path));
  const names = new Set([
    ...runs.filter(({ isScript }) => !isScript).map(({ name }) => name),
    ...agents.flatMap(({ profile }) => profile.commands).filter((name) => !INTERPRETERS.test(name)),
  ]);
  return (words) => {
    const run = runOf(words);
    return run !== undefined && (names.has(run.name) || paths.has(run.path));
  };
}

function runOf(words: readonly string[]): Run | undefined {
  const at = words.findIndex((word) => !INTERPRETERS.test(basename(word)) && !/^-|^[A-Z_]+=/u.test(word));
  const path = words[at];
  return path === undefined ? undefined : { name: basename(path), path, isScript: at > 0 };
}
