/** Recognizes results that look like failures: red tests, findings of a checker, a person's no. */

import type { ResultRule, ToolFailure, WorkPhase } from './failure.ts';

/** Words of a person's no. Nothing is broken and nothing is to be repeated, whatever stands around these words. */
const DECLINED =
  /\b(?:the )?user (?:doesn't want to (?:proceed|take this action)|rejected (?:permission|the tool)|declined|denied this)|\[Request interrupted by user|\btool use was rejected\b/i;

/** The summaries of test runners that count at least one failed test. */
const FAILED_TESTS: readonly RegExp[] = [
  /^[ \t]*Tests?:?\s+(?:\S+ \S+, )*[1-9]\d* failed\b/m, // jest, vitest
  /^[ \t]*Test Files\s+[1-9]\d* failed\b/m, // vitest
  /^=+ .{0,200}\b[1-9]\d{0,9} failed\b.{0,200} in [\d.:]{1,20} ?s/m, // pytest
  /^FAILED \S+::\S+/m, // pytest
  /^test result: FAILED\. \d+ passed; [1-9]\d* failed/m, // cargo
  /^[ \t]*--- FAIL: /m, // go
  /^[ \t]*[1-9]\d* failing$/m, // mocha
  /^\d+ examples?, [1-9]\d* failures?/m, // rspec
  /^Tests run: \d+, +(?:Failures: [1-9]|Failures: 0, +Errors: [1-9])/m, // JUnit
  /^(?:# fail|ℹ fail) [1-9]/m, // node:test
  /^not ok \d+ - /m, // TAP
  /^FAILED \((?:failures|errors)=\d/m, // unittest
  /^Failed: [1-9]\d*,? |^Failed!\s+- Failed:\s+[1-9]/m, // dotnet
  /^[ \t]*[1-9]\d* failed$/m, // playwright
  /^Tests: \d+, Assertions: \d+, (?:Failures|Errors): [1-9]/m, // phpunit
];

/** Words about tests that never ran: the reason is an error, and worth more than the other tests' results. */
const SUITE_BROKEN =
  /Test suite failed to run|^ERROR collecting|^E {3,}(?:SyntaxError|IndentationError|ModuleNotFoundError)|error: could not compile|\[build failed\]|COMPILATION ERROR|Error: Cannot find module|Failed to load url|Interrupted: \d+ errors? during collection/m;

/** Findings of linters, formatters and type checkers, with their count. */
const FINDINGS: readonly RegExp[] = [
  /✖ \d+ problems? \(/, // eslint
  /^Found (?:[1-9]\d* (?:errors?|warnings?)|0 warnings and [1-9])/m, // ruff, mypy, oxlint, biome, tsc
  /Code style issues (?:found|were found)|Format issues found/, // prettier, oxfmt
  /^would reformat \S+/m, // black
  /^Your code has been rated at [\d.]+\/10/m, // pylint
  /^\S+:\d+:\d+: [EFWCN]\d{3} /m, // flake8
];

const TEST_COMMAND =
  /\b(?:jest|vitest|mocha|ava|pytest|py\.test|rspec|phpunit|playwright test|cypress run|ctest|tox|unittest)\b|\b(?:npm|pnpm|yarn|bun|cargo|go|mvn|gradle|\.\/gradlew|dotnet|mix|deno|make|swift|node) (?:run |--)?tests?\b/;
const QUALITY_COMMAND =
  /\b(?:eslint|oxlint|biome|prettier|oxfmt|ruff|flake8|pylint|mypy|pyright|black --check|clippy|golangci-lint|shellcheck|stylelint|rubocop)\b|\b(?:npm|pnpm|yarn|bun) run (?:lint|format|typecheck|check)\b|\btsc\b.{0,300}--noEmit\b|\bgo vet\b|\bcargo fmt\b/;
const BUILD_COMMAND =
  /\b(?:tsc|webpack|esbuild|rollup|vite build|next build|make|cmake|ninja|javac|gcc|clang|rustc|docker build)\b|\b(?:npm|pnpm|yarn|bun|cargo|go|mvn|gradle|\.\/gradlew|dotnet|swift) (?:run )?(?:build|package|compile|check)\b/;

/** Returns the phase of a failure; null if the command line names none. */
export function phaseOf({ phase, command }: ToolFailure): WorkPhase | null {
  if (phase !== null || command === null) return phase;
  if (TEST_COMMAND.test(command)) return 'test';
  if (QUALITY_COMMAND.test(command)) return 'quality';
  return BUILD_COMMAND.test(command) ? 'build' : null;
}

/** Returns the result that an output stands for; null if the output must be classified as a failure. */
export function resultIn(text: string, phase: WorkPhase | null): { rule: ResultRule; evidence: string } | null {
  const declined = DECLINED.exec(text);
  if (declined !== null) return { rule: 'person-declined', evidence: lineAround(text, declined.index) };
  if (SUITE_BROKEN.test(text)) return null;
  const failed = firstMatch(FAILED_TESTS, text);
  if (failed !== null) return { rule: 'tests-failed', evidence: lineAround(text, failed) };
  if (phase === 'quality') {
    const findings = firstMatch(FINDINGS, text);
    if (findings !== null) return { rule: 'findings', evidence: lineAround(text, findings) };
  }
  return null;
}

function firstMatch(patterns: readonly RegExp[], text: string): number | null {
  for (const pattern of patterns) {
    const found = pattern.exec(text);
    if (found !== null) return found.index + found[0].search(/\S/);
  }
  return null;
}

function lineAround(text: string, index: number): string {
  const start = text.lastIndexOf('\n', index) + 1;
  const end = text.indexOf('\n', index);
  return text.slice(start, end === -1 ? undefined : end);
}
