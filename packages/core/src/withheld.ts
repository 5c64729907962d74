/** Variables that no program of a fleet inherits from its environment. */

/** Drover's own settings, the address of its database, and libpq's variables in its place. */
const OWN = /^(?:DROVER_.*|DATABASE_URL|PG[A-Z]+)$/u;

/**
 * Variables that speak of one place or one moment and are wrong in any other: another coding agent's session (a program that finds one refuses
 * to start, or reports to the wrong window), a repository of git's hooks, a person's name for one commit, a terminal, an editor.
 */
const OF_ONE_PLACE =
  /^(?:CLAUDECODE|CLAUDE_CODE_.*|CODEX_SANDBOX.*|TMUX.*|VSCODE_.*|VIRTUAL_ENV(?:_PROMPT)?|GIT_(?:DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|NAMESPACE|PREFIX|INTERNAL_SUPER_PREFIX|IMPLICIT_WORK_TREE|GRAFT_FILE|SHALLOW_FILE|NO_REPLACE_OBJECTS|REPLACE_REF_BASE|CONFIG|CONFIG_PARAMETERS|CONFIG_COUNT|CONFIG_KEY_\d+|CONFIG_VALUE_\d+|QUARANTINE_PATH|REFLOG_ACTION|EXEC_PATH|AUTHOR_.*|COMMITTER_.*))$/u;

/** Settings of Claude Code for its login and the paying account: if a person's login shell sets them, they are intended. */
const LOGIN = /^CLAUDE_CODE_(?:OAUTH_TOKEN|USE_[A-Z]+|SKIP_[A-Z]+_AUTH|API_KEY_HELPER_TTL_MS)$/u;

/** Tells whether a variable stays out of the programs of a fleet; `[profiles.NAME.env]` alone gives it to one. */
export function isWithheld(variable: string): boolean {
  return isOwn(variable) || (OF_ONE_PLACE.test(variable) && !LOGIN.test(variable));
}

/** Tells whether a variable is one of Drover's own, which nobody misses in a pane. */
export function isOwn(variable: string): boolean {
  return OWN.test(variable);
}
