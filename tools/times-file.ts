// Where does a run of the tests leave how long each one took? Not in the checkout's own files.

/** Relative to the repository. */
export const TIMES_FILE = 'node_modules/.cache/test-times.json';
