// Finds where a command is typed, and which directories are its own. Holds all that a command needs that reads no configuration: a door of
// its own, because the schema behind the other one takes longer to load than such a command to run.
export { readEnvironment, type Environment } from './environment.ts';
export { machinePaths, paths, type Paths, userConfigDir } from './directories/paths.ts';
export { makePrivateDirectory } from './directories/private-directory.ts';
export { refuseUnsafePath } from './directories/safe-path.ts';
export { CONFIG_FILE, ROOT_NOTE, findRoot, rootAround, rootBeside, type RootOutcome } from './directories/root.ts';
