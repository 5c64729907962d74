/** `drover profile try`: starts a profile's program in a scratch repository, and keeps the screens that Drover must read right. */
import path from 'node:path';
import type { Profile } from '@drover/screen';
import { CommandError, EXIT_CODES } from '../../exit-codes.ts';
import { defineCommand } from '../../program/define.ts';
import { untilSignalled } from '../../processes/until-signalled.ts';
import { count, flag, required, text } from '../../program/spec.ts';
import type { Surroundings } from '../../surroundings.ts';
import { table } from '../../terminal/style.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { Shown } from '../../trial/scratch.ts';
import type { StepOutcome } from '../../trial/steps.ts';

const HEIGHT = 40;

const MORE = `Answer in this terminal, and use the program in another one: the command prints
how. At each step you bring the program to a state; Drover keeps the screen beside the
profile, reads it, and tells you what it reads and from what. If that is wrong, change
the profile and press Enter: Drover reads the same screen again.
--yes types and presses by itself, for a program that Drover reads right already, such
as a new version of it. The program asks its model and costs what that costs.
--json prints [{ "kind": "read", "name": "ready", "expected": "ready", "got": "typed",
"right": false, "rule": "mine/typed", "file": "/x/ready-120" }, …].
Exit status: 6 if Drover reads a screen wrong.`;

export const command = defineCommand({
  about: 'try a profile: start its program, and see what Drover reads at each step',
  example: 'drover profile try copilot\ndrover profile try codex --yes --width 80',
  more: MORE,
  args: { name: required('which profile') },
  options: {
    width: count('columns', 'the width of the terminal', { min: 20, max: 500, default: 120 }),
    yes: flag('type and press without a person'),
    working: text('prompt', 'with --yes: a prompt that takes some seconds', {
      default: 'Count from 1 to 200, a number in each line.',
    }),
    permission: text('prompt', 'with --yes: a prompt that makes it ask for permission', {
      default: 'Run the shell command: touch asked',
    }),
    asksNothing: flag('with --yes: it never asks for permission, so there is no such step'),
    error: text('prompt', 'with --yes: a prompt that makes a turn fail (default: no such step)'),
  },
  async run(surroundings, { args: { name }, options: { width, yes, asksNothing, ...given } }) {
    const { terminal, environment, cwd } = surroundings;
    if (!yes && (!process.stdin.isTTY || terminal.json))
      throw new CommandError('refused', 'A trial asks at a terminal: repeat with --yes to try the program alone');
    const prompts = asksNothing ? { ...given, permission: undefined } : given;
    const { Scratch } = await import('../../trial/scratch.ts');
    const { file, profile } = await find(surroundings, name);
    const directory = file === null ? path.resolve(cwd, name) : file.replace(/\.\w+$/u, '');
    const { program, args, permissions } = profile.launch;
    const argv = [program, ...args, ...permissions.ask];
    // The program must not outlive the trial, whatever ends it.
    const { asked } = untilSignalled();
    await using scratch = await Scratch.open({ argv, env: environment.variables, width, height: HEIGHT, profile });
    const doors = {
      shown: () => scratch.shown(),
      keep: (shown: Shown, label: string) =>
        keepShown(path.join(directory, `${label}-${width}`), { shown, label, profile }),
    };
    const again = async (): Promise<Profile | string> => (file === null ? profile : reread(file));
    const walk = async (): Promise<readonly StepOutcome[]> => {
      if (yes) {
        const { walkAlone } = await import('../../trial/unattended.ts');
        const type = (words: string): Promise<void> => scratch.type(words, profile);
        const press = (keys: readonly string[]): Promise<void> => scratch.press(keys);
        return walkAlone({ ...doors, type, press, profile, prompts, sleep: surroundings.sleep });
      }
      const { walkWithPerson } = await import('../../trial/attended.ts');
      terminal.err(`Use the program in another terminal: ${scratch.attach}`);
      return walkWithPerson({ ...doors, ask: terminal.question, say: terminal.err, profile: again });
    };
    const outcomes = await Promise.race([walk(), asked.then(() => null)]);
    if (outcomes === null) throw new CommandError('refused', 'The trial was interrupted; its program has ended');
    tell(terminal, outcomes, directory);
  },
});

/** Finds a profile with its file; a built-in one has none. @throws {CommandError} `not-found`, `usage`. */
async function find(
  surroundings: Pick<Surroundings, 'environment' | 'paths'>,
  name: string,
): Promise<{ readonly file: string | null; readonly profile: Profile }> {
  const { directoriesFor, profileFileOf } = await import('../../profiles/files.ts');
  const { BUILT_IN_PROFILES } = await import('@drover/screen');
  const file = await profileFileOf(name, directoriesFor(surroundings));
  if (file === undefined) {
    const profile = BUILT_IN_PROFILES.get(name);
    if (profile !== undefined) return { file: null, profile };
    const names = [...BUILT_IN_PROFILES.keys()].join(', ');
    const advice = `make one with "drover profile new ${name}", or try one that comes with Drover: ${names}`;
    throw new CommandError('not-found', `There is no profile "${name}" here; ${advice}`);
  }
  const profile = await reread(file);
  if (typeof profile === 'string') throw new CommandError('usage', profile);
  return { file, profile };
}

async function reread(file: string): Promise<Profile | string> {
  const { readProfileFile } = await import('../../profiles/document.ts');
  const read = await readProfileFile(file);
  return read.kind === 'read' ? read.profile : read.problem;
}

async function keepShown(
  base: string,
  {
    shown: { ansi, facts },
    label,
    profile,
  }: { readonly shown: Shown; readonly label: string; readonly profile: Profile },
): Promise<string> {
  const { keepScreen } = await import('../../trial/keep.ts');
  const file = { program: profile.id, version: '', state: label, label, ...facts };
  await keepScreen(base, { ansi, file }, { replace: true });
  return base;
}

function tell(terminal: Terminal, outcomes: readonly StepOutcome[], directory: string): void {
  if (terminal.json) terminal.out(JSON.stringify(outcomes));
  else {
    const rows = outcomes.map((one) =>
      one.kind === 'left-out'
        ? [one.name, 'left out', '', '']
        : [one.name, one.right ? 'right' : 'WRONG', one.right ? one.got : `${one.got}, not ${one.expected}`, one.rule],
    );
    terminal.out(table(rows, terminal.columns));
    terminal.err(
      `Its screens are kept; test them after each change: drover debug screen test ${directory}\nThey contain the text of the screen: check them for secrets before you share them.`,
    );
  }
  if (outcomes.some((one) => one.kind === 'read' && !one.right)) process.exitCode = EXIT_CODES.problems.status;
}
