/** Reads what Linux says of a process in `/proc/PID/stat`. */

/** Field 22, of which the third is the first after the name, which may hold blanks and parentheses (proc_pid_stat(5)). */
const START_AT = 22 - 3;

/** The start of the process in ticks since the start of the machine; `undefined` when the text is none. */
export function startIn(stat: string): string | undefined {
  const end = stat.lastIndexOf(')');
  return end < 0 ? undefined : stat.slice(end + 2).split(' ')[START_AT];
}
