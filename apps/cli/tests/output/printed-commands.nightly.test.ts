/** Tests that every command printed by an error or a question works unchanged. Each command is typed into a shell, on real parts. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { DROVER } from '../../../../tools/fleet/program.ts';
import { Sandbox } from '../../../../tools/fleet/sandbox.ts';
import { until } from '../../../../tools/fleet/wait.ts';

interface Shown {
  readonly commands: readonly string[];
  readonly pane: readonly string[];
  readonly git: readonly string[];
  readonly history: readonly unknown[];
  readonly remediation: readonly string[];
}

interface Question {
  readonly id: string;
  readonly commands: readonly string[];
  readonly context: {
    readonly pane: readonly string[];
    readonly gitStatus: readonly string[];
    readonly remediation: readonly string[];
  };
}

test('given an agent that crashed and then asks, when error and question are shown, then they have pane, git and history, and each printed command works', async () => {
  await using sandbox = await Sandbox.withRoot();
  await sandbox.up();
  await sandbox.drover(['add', 'adam', '--wait']);
  const prompt = 'WRITE left.txt over\nONCE: CRASH 3\nASK Which? | this | that';
  await sandbox.drover(['start', '--worker', 'adam', '--prompt', prompt]);

  const error = await until('the error with what git said', async () => {
    const { stdout } = await sandbox.drover(['report', 'errors', '--all', '--json']);
    const [first] = JSON.parse(stdout).toReversed();
    if (first === undefined) return undefined;
    const shown: Shown = JSON.parse((await sandbox.drover(['report', 'error', first.id, '--json'])).stdout);
    return shown.git.length > 0 ? shown : undefined;
  });
  await sandbox.until('adam', 'needs_input');
  const question = await until('the question with what git said', async () => {
    const [{ id }] = JSON.parse((await sandbox.drover(['escalation', '--json'])).stdout);
    const shown: Question = JSON.parse((await sandbox.drover(['escalation', 'show', id, '--json'])).stdout);
    return shown.context.gitStatus.length > 0 ? shown : undefined;
  });
  const { stdout: logs } = await sandbox.drover(['logs', 'adam']);

  expect(error.pane.length).toBeGreaterThan(0);
  expect(error.history.length).toBeGreaterThan(0);
  expect(error.git.join('\n')).toContain('?? left.txt');
  expect(question.context.pane.join('\n')).toContain('Which?');
  expect(question.context.gitStatus[0]).toMatch(/^## /);
  expect(logs).toMatch(/Last lines of its pane\n[^]*Which\?[^]*\nGit\n {2}## /);
  const answers = question.commands.filter((command) => command.startsWith('drover answer '));
  const [answer = ''] = answers;
  const others = [...question.commands.filter((command) => !answers.includes(command)), ...error.commands];
  const helping = [...error.remediation, ...question.context.remediation].filter((one) => one.startsWith('drover '));
  // Types each command once, the answer last, because the answer ends the question. A recovery of the worker would end the question too.
  const typed = [...new Set([...others, ...helping])].filter((command) => !command.startsWith('drover worker recover'));
  for (const command of [...typed, answer])
    expect({ command, ...(await shell(sandbox, command)) }).toMatchObject({ command, status: 0 });
  expect(typed.length).toBeGreaterThan(3);
});

/** Types a command like a person, in the root. */
function shell(sandbox: Sandbox, command: string) {
  const { PATH = '' } = sandbox.env;
  const env = Object.fromEntries(
    Object.entries(sandbox.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return sandbox.bare(['sh', '-c', command], {
    cwd: sandbox.root,
    env: { ...env, PATH: `${path.dirname(DROVER)}:${PATH}` },
  });
}
