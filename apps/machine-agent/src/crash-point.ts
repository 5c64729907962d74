/** Names places at which a test ends a machine agent. */

/** Places in the life of a command at which a test may end the process, in the order in which they are passed. */
export type CrashPoint = 'received' | 'started' | 'noted' | 'typed' | 'entered' | 'acted' | 'recorded';
