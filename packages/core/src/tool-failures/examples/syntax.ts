/** Lists outputs of compilers and parsers that cannot read code or configuration. */

import type { Example } from './example.ts';

/** Outputs of `syntax`. */
export const SYNTAX: readonly Example[] = [
  [
    'syntax',
    'node a.js',
    1,
    "/app/a.js:3\nconst x = ;\n          ^\n\nSyntaxError: Unexpected token ';'\n    at wrapSafe (node:internal/modules/cjs/loader:1469:18)",
  ],
  [
    'syntax',
    'python a.py',
    1,
    '  File "/app/a.py", line 4\n    def f(\n         ^\nSyntaxError: \'(\' was never closed',
  ],
  ['syntax', 'python a.py', 1, '  File "a.py", line 2\n    x = 1\nIndentationError: unexpected indent'],
  ['syntax', 'npx tsc', 2, "src/a.ts(10,5): error TS1005: ';' expected."],
  ['syntax', 'npx tsc', 2, "src/net.ts(10,5): error TS2304: Cannot find name 'ECONNREFUSED'."],
  [
    'syntax',
    'npx tsc --pretty',
    2,
    "src/a.ts:3:7 - error TS2339: Property 'timeout' does not exist on type 'Options'.\n\n3   o.timeout = 1;\n      ~~~~~~~",
  ],
  [
    'syntax',
    'cargo build',
    101,
    'error: expected one of `;` or `}`, found `let`\n --> src/main.rs:4:5\n  |\n4 |     let y = 2;\n  |     ^^^ expected one of `;` or `}`',
  ],
  [
    'syntax',
    'cargo build',
    101,
    'error[E0308]: mismatched types\n  --> src/main.rs:7:18\n   |\n7  |     let x: u32 = "403 forbidden";\n   |                  ^^^^^^^ expected `u32`, found `&str`',
  ],
  ['syntax', 'go build ./...', 1, '# example.com/app\n./main.go:9:2: undefined: connectionRefused'],
  ['syntax', 'gcc a.c', 1, "a.c:5:3: error: expected ';' before 'return'"],
  ['syntax', 'javac A.java', 1, "A.java:5: error: ';' expected"],
  ['syntax', 'bash x.sh', 2, "x.sh: line 7: syntax error near unexpected token `fi'"],
  ['syntax', 'php a.php', 255, 'PHP Parse error:  syntax error, unexpected token "}" in /app/a.php on line 9'],
  ['syntax', 'psql -f m.sql', 3, 'psql:m.sql:3: ERROR:  syntax error at or near "FORM"'],
  [
    'syntax',
    'kubectl apply -f d.yaml',
    1,
    'error: error parsing d.yaml: error converting YAML to JSON: yaml: line 12: did not find expected key',
  ],
  ['syntax', 'jq . a.json', 5, 'jq: parse error: Expected separator between values at line 3, column 5'],
  [
    'syntax',
    'npm ci',
    1,
    'npm error code EJSONPARSE\nnpm error path /app/package.json\nnpm error JSON.parse Expected double-quoted property name in JSON at position 210',
  ],
  ['syntax', 'cargo build', 101, 'error: failed to parse manifest\nCaused by:\n  TOML parse error at line 3, column 5'],
  ['syntax', 'vite build', 1, '✘ [ERROR] Expected ";" but found "}"\n\n    src/a.ts:10:2:'],
  [
    'syntax',
    'npx jest',
    1,
    '● Test suite failed to run\n\n  SyntaxError: /app/src/a.js: Unexpected token (3:5)\n\nTests:       0 total',
  ],
  [
    'syntax',
    'docker build .',
    1,
    'ERROR: failed to solve: dockerfile parse error on line 3: unknown instruction: RUNN',
  ],
  [
    'syntax',
    'python a.py',
    1,
    'json.decoder.JSONDecodeError: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)',
  ],
];
