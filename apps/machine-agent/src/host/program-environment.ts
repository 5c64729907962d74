/** Decides which of this process's variables reach the programs that Drover starts, above all those in panes. */
import type { EnvironmentChange } from '@drover/host';

type Variables = Readonly<Record<string, string | undefined>>;

/** Drover's own settings, the address of its database, and what libpq reads in its place. */
const OWN = /^(?:DROVER_.*|DATABASE_URL|PG[A-Z]+)$/u;

/**
 * Variables that speak of the place where Drover was started and are wrong in any other: another coding agent's session (a program that finds
 * one refuses to start, or reports to the wrong window), a repository of git's hooks, a person's name for one commit, a terminal, an editor.
 */
const OF_THE_STARTER =
  /^(?:CLAUDECODE|CLAUDE_CODE_.*|CODEX_SANDBOX.*|TMUX.*|VSCODE_.*|VIRTUAL_ENV(?:_PROMPT)?|GIT_(?:DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|NAMESPACE|PREFIX|INTERNAL_SUPER_PREFIX|IMPLICIT_WORK_TREE|GRAFT_FILE|SHALLOW_FILE|NO_REPLACE_OBJECTS|REPLACE_REF_BASE|CONFIG|CONFIG_PARAMETERS|CONFIG_COUNT|CONFIG_KEY_\d+|CONFIG_VALUE_\d+|QUARANTINE_PATH|REFLOG_ACTION|EXEC_PATH|AUTHOR_.*|COMMITTER_.*))$/u;

/** Settings of Claude Code that say how it logs in and which account pays. */
const LOGIN = /^CLAUDE_CODE_(?:OAUTH_TOKEN|USE_[A-Z]+|SKIP_[A-Z]+_AUTH|API_KEY_HELPER_TTL_MS)$/u;

/** Tells whether a variable stays out of the programs that Drover starts. */
export function isWithheld(variable: string): boolean {
  return OWN.test(variable) || isOfTheStarter(variable);
}

/** Picks the variables that programs inherit. An owner who wants another one in a pane names it in `[profiles.NAME.env]`. */
export function programEnvironment(env: Variables): EnvironmentChange {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isWithheld(name)));
}

/** The set variables, by name, that programs do not get because they belong to the place where Drover was started. */
export function droppedVariables(env: Variables): readonly string[] {
  return Object.keys(env)
    .filter((name) => env[name] !== undefined && isOfTheStarter(name))
    .toSorted();
}

function isOfTheStarter(variable: string): boolean {
  return OF_THE_STARTER.test(variable) && !LOGIN.test(variable);
}
