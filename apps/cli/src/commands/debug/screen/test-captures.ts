/** `drover debug screen test`: judges every recorded capture below a directory, and names those with a wrong result. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '@drover/base';
import type { Judgement, Profile } from '@drover/screen';
import { CommandError, EXIT_CODES } from '../../../exit-codes.ts';
import { defineCommand } from '../../../program/define.ts';
import { required } from '../../../program/spec.ts';

interface Judged extends Judgement {
  readonly name: string;
}

/** A file that keeps a capture from being judged, and its error. */
interface Broken {
  readonly file: string;
  readonly why: string;
}

const MORE = `The screens of your own profiles count too: those of "drover profile new".
A capture is NAME.ansi, what "tmux capture-pane -p -e" printed, with NAME.json:
  { "program": "claude", "label": "ready", "pane_current_command": "claude",
    "pane_title": "…", "cursor_y": "21", … }
with tmux's pane_dead, pane_dead_status, pane_dead_signal, alternate_on and
history_size. Labels:
  starting, dialog_trust, dialog_bypass, dialog_other, ready, typed, processing,
  question_choice, permission, error_retrying, error_terminal, exited_shell, dead, unknown

--json prints
  { "right": 9, "wrong": 1,
    "misjudged": [{ "name": "a/b", "right": false, "expected": "ready",
      "got": "typed", "rule": "claude/typed" }],
    "broken": [{ "file": "/x/a/c.json", "why": "it is not JSON: …" }] }
Exit status: 1 if any is judged wrong, 2 if any file is broken; the other files
are judged.`;

/** Judges all readable captures; at the end, an error names each broken file. */
export const command = defineCommand({
  about: 'test how Drover reads every recorded screen below a directory',
  example: "drover debug screen test screens\ndrover debug screen test screens --json | jq '.misjudged[].name'",
  more: MORE,
  args: { dir: required('the directory with the recorded screens') },
  async run(surroundings, { args: { dir } }) {
    const { terminal, cwd } = surroundings;
    const { directoriesFor, readProfileFiles } = await import('../../../profiles/files.ts');
    const profiles = await readProfileFiles(directoriesFor(surroundings), terminal.err);
    const root = path.resolve(cwd, dir);
    const judged: Judged[] = [];
    const broken: Broken[] = [];
    for (const name of await namesBelow(root)) {
      const outcome = await judgeOne(root, name, profiles);
      if ('why' in outcome) broken.push(outcome);
      else judged.push(outcome);
    }
    const wrong = judged.filter(({ right }) => !right);
    const right = judged.length - wrong.length;
    if (terminal.json) terminal.out(JSON.stringify({ right, wrong: wrong.length, misjudged: wrong, broken }));
    else {
      for (const { name, expected, got, rule } of wrong)
        terminal.out(`${name}: ${got}, not ${expected} (by the rule ${rule})`);
      terminal.out(`${right} right, ${wrong.length} wrong`);
    }
    if (broken.length > 0) throw new CommandError('usage', sayBroken(broken));
    if (wrong.length > 0) process.exitCode = EXIT_CODES.refused.status;
  },
});

function sayBroken(broken: readonly Broken[]): string {
  const lines = broken.map(({ file, why }) => `${file}: ${why}`);
  return broken.length === 1 ? (lines[0] ?? '') : [`${broken.length} captures cannot be judged:`, ...lines].join('\n');
}

async function namesBelow(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { recursive: true }).catch((error: unknown) => {
    throw new CommandError('not-found', `Cannot read ${root}: ${messageOf(error)}`);
  });
  const names = entries.filter((entry) => entry.endsWith('.ansi')).map((entry) => entry.slice(0, -'.ansi'.length));
  if (names.length === 0)
    throw new CommandError('not-found', `There are no captures (NAME.ansi with NAME.json) below ${root}`);
  return names.toSorted();
}

async function judgeOne(root: string, name: string, profiles: ReadonlyMap<string, Profile>): Promise<Judged | Broken> {
  const { CaptureFileError, judge } = await import('@drover/screen');
  const [ansiFile, jsonFile] = [path.join(root, `${name}.ansi`), path.join(root, `${name}.json`)];
  const ansi = await readText(ansiFile);
  if (typeof ansi !== 'string') return ansi;
  const json = await readText(jsonFile);
  if (typeof json !== 'string') return json;
  let document: unknown;
  try {
    document = JSON.parse(json);
  } catch (error) {
    return { file: jsonFile, why: `it is not JSON: ${messageOf(error)}` };
  }
  try {
    return { name, ...judge(document, ansi, profiles) };
  } catch (error) {
    if (error instanceof CaptureFileError) return { file: jsonFile, why: error.message };
    throw error;
  }
}

async function readText(file: string): Promise<string | Broken> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => ({
    file,
    why:
      error.code === 'ENOENT'
        ? 'it is missing: each NAME.ansi needs a NAME.json with its "program" and "label"'
        : `it cannot be read: ${messageOf(error)}`,
  }));
}
