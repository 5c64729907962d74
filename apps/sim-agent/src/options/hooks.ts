// Runs a hook as a shell command with the event as JSON on its standard input; its output may be an answer.

import { spawn } from 'node:child_process';
import type { HookRule } from './settings.ts';

/** Result of a hook: its exit code (null when it was killed) and its standard output. */
export interface HookResult {
  readonly code: number | null;
  readonly stdout: string;
}

/** Runs hooks; a hook that fails or takes too long never fails its event. */
export type RunHook = (rule: HookRule, payload: Readonly<Record<string, unknown>>) => Promise<HookResult>;

/** @param env the environment of the hooks; `cwd` their working directory. */
export function hookRunner(env: NodeJS.ProcessEnv, cwd: string): RunHook {
  return (rule, payload) =>
    new Promise((resolve) => {
      const child = spawn('/bin/sh', ['-c', rule.command], {
        cwd,
        env: { ...env, CLAUDE_PROJECT_DIR: cwd },
        stdio: ['pipe', 'pipe', 'ignore'],
        timeout: rule.timeoutMs,
      });
      let stdout = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
      child.on('error', () => resolve({ code: null, stdout: '' }));
      child.on('close', (code) => resolve({ code, stdout }));
      // A hook may end without reading its input; the broken pipe is no concern of ours.
      child.stdin.on('error', () => undefined);
      child.stdin.end(`${JSON.stringify(payload)}\n`);
    });
}

/** Returns the answer of a `PermissionRequest` hook, if it answered. */
export function permissionAnswer(results: readonly HookResult[]): 'allow' | 'deny' | undefined {
  for (const result of results) {
    const answer = /"behavior"\s*:\s*"(allow|deny)"/.exec(result.stdout)?.[1];
    if (answer === 'allow' || answer === 'deny') return answer;
  }
  return undefined;
}
