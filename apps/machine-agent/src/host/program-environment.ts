/** Which of this process's variables do the programs get that Drover starts, those in panes above all? */
import type { EnvironmentChange } from '@drover/host';

type Variables = Readonly<Record<string, string | undefined>>;

/** Drover's own settings, the address of its database, and what libpq reads in its place. */
const OWN = /^(?:DROVER_.*|DATABASE_URL|PG[A-Z]+)$/u;

/** Whether a variable stays with Drover: a program in a pane could use it against the fleet. */
export function isWithheld(variable: string): boolean {
  return OWN.test(variable);
}

/** What programs inherit. An owner who wants one of the others in a pane names it in `[profiles.NAME.env]`. */
export function programEnvironment(env: Variables): EnvironmentChange {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isWithheld(name)));
}
