/** Lists results that look like failures, and events in a test run that are no failures. */

import type { Example } from './example.ts';

/** Red tests, findings of checkers, a person's no; and broken suites, which are failures. */
export const RESULTS: readonly Example[] = [
  [
    'tests-failed',
    'npx jest',
    1,
    'FAIL src/a.test.js\n  ● adds\n    expect(received).toBe(expected)\n    Expected: 3\n    Received: 2\n\nTests:       1 failed, 4 passed, 5 total',
  ],
  [
    'tests-failed',
    'npx vitest run',
    1,
    ' FAIL  src/a.test.ts > given a refused connection\nAssertionError: expected "ECONNREFUSED" to be "ok"\n Test Files  1 failed (1)\n      Tests  1 failed | 3 passed (4)',
  ],
  [
    'tests-failed',
    'pytest',
    1,
    'tests/test_a.py F\nE   TimeoutError: timed out\nFAILED tests/test_a.py::test_wait - TimeoutError\n=== 1 failed, 3 passed in 0.12s ===',
  ],
  [
    'tests-failed',
    'cargo test',
    101,
    "thread 'tests::adds' panicked at src/lib.rs:9:9:\nassertion failed\ntest result: FAILED. 3 passed; 1 failed; 0 ignored",
  ],
  [
    'tests-failed',
    'go test ./...',
    1,
    '--- FAIL: TestDial (0.00s)\n    dial_test.go:9: connection refused\nFAIL\nexit status 1',
  ],
  ['tests-failed', 'npx mocha', 1, '  3 passing (12ms)\n  1 failing\n\n  1) permission denied is shown'],
  ['tests-failed', 'node --test', 1, 'not ok 2 - rejects unauthorized users\nℹ pass 1\nℹ fail 1'],
  [
    'tests-failed',
    'bundle exec rspec',
    1,
    '5 examples, 1 failure\n\nrspec ./spec/a_spec.rb:3 # Limit rate limit exceeded',
  ],
  ['tests-failed', 'mvn test', 1, 'Tests run: 5, Failures: 1, Errors: 0, Skipped: 0'],
  [
    'tests-failed',
    'npx playwright test',
    1,
    '  1) login.spec.ts:3:1 › login\n     TimeoutError: locator.click: Timeout 30000ms exceeded.\n  1 failed\n  2 passed (5s)',
  ],
  ['tests-failed', 'npm test', 1, 'Command failed with exit code 1'],
  ['tests-failed', 'phpunit', 1, 'Tests: 3, Assertions: 5, Failures: 1.'],
  [
    'network',
    'npm test',
    1,
    'Error: connect ECONNREFUSED 127.0.0.1:5432\n    at TCPConnectWrap.afterConnect\nglobalSetup failed',
  ],
  ['resource', 'npm test', 134, 'FATAL ERROR: JavaScript heap out of memory'],
  [
    'syntax',
    'npx jest',
    1,
    'FAIL src/a.test.js\n  ● Test suite failed to run\n\n    SyntaxError: /app/src/a.js: Unexpected token (3:5)\n\nFAIL src/b.test.js\n  ● adds\n\nTests:       1 failed, 4 passed, 5 total',
  ],
  [
    'syntax',
    'pytest',
    2,
    'ERROR collecting tests/test_a.py\nE   SyntaxError: invalid syntax\nFAILED tests/test_b.py::test_b - assert 1 == 2\n=== 1 failed, 1 error in 0.05s ===',
  ],
  [
    'syntax',
    'pytest',
    2,
    'ERROR collecting tests/test_a.py\nE     File "tests/test_a.py", line 3\nE   SyntaxError: invalid syntax\n=== 1 error in 0.05s ===',
  ],
  [
    'syntax',
    'cargo test',
    101,
    'error[E0425]: cannot find value `x` in this scope\n --> src/lib.rs:3:5\nerror: could not compile `app` (lib test) due to 1 previous error',
  ],
  [
    'findings',
    'npx eslint .',
    1,
    '/app/a.js\n  1:1  error  Unexpected token  no-undef\n\n✖ 3 problems (3 errors, 0 warnings)',
  ],
  [
    'findings',
    'npx prettier --check .',
    1,
    '[warn] src/a.ts\n[warn] Code style issues found in the above file. Run Prettier with --write to fix.',
  ],
  ['findings', 'ruff check', 1, 'a.py:1:1: E401 Multiple imports on one line\nFound 1 error.'],
  [
    'findings',
    'mypy .',
    1,
    'a.py:3: error: Incompatible types in assignment\nFound 1 error in 1 file (checked 5 source files)',
  ],
  ['findings', 'npx tsc --noEmit', 2, "src/a.ts(1,1): error TS2322: Type 'string' is not assignable to type 'number'."],
  [
    'person-declined',
    'Bash',
    null,
    "The user doesn't want to proceed with this tool use. The tool use was rejected: permission denied",
  ],
  ['person-declined', 'bash', null, 'The user rejected permission to use this specific tool call.'],
  ['person-declined', 'Bash', null, '[Request interrupted by user for tool use]'],
];
