/** Lists outputs of programs that lack a permission, or that reject a value. */

import type { Example } from './example.ts';

/** Outputs of `permission` and `validation`. */
export const PERMISSION_AND_VALIDATION: readonly Example[] = [
  [
    'permission',
    'npm install -g x',
    243,
    "npm error code EACCES\nnpm error syscall mkdir\nnpm error path /usr/lib/node_modules/x\nnpm error Error: EACCES: permission denied, mkdir '/usr/lib/node_modules/x'",
  ],
  ['permission', 'cat /etc/shadow', 1, 'cat: /etc/shadow: Permission denied'],
  ['permission', './run.sh', 126, 'bash: ./run.sh: Permission denied'],
  [
    'permission',
    'git push',
    128,
    'git@github.com: Permission denied (publickey).\nfatal: Could not read from remote repository.',
  ],
  [
    'permission',
    'git push',
    128,
    "fatal: unable to access 'https://github.com/acme/app.git/': The requested URL returned error: 403",
  ],
  ['permission', 'git push', 128, "fatal: could not read Username for 'https://github.com': terminal prompts disabled"],
  [
    'permission',
    'git push',
    1,
    'remote: error: GH006: Protected branch update failed for refs/heads/main.\n ! [remote rejected] main -> main (protected branch hook declined)',
  ],
  ['permission', 'git status', 128, "fatal: detected dubious ownership in repository at '/srv/app'"],
  [
    'permission',
    'docker ps',
    1,
    'permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock',
  ],
  [
    'permission',
    'npm publish',
    1,
    'npm error code E403\nnpm error 403 403 Forbidden - PUT https://registry.npmjs.org/x - You do not have permission',
  ],
  [
    'permission',
    'npm publish',
    1,
    'npm error code ENEEDAUTH\nnpm error need auth This command requires you to be logged in',
  ],
  ['permission', 'curl -i https://x.example', 0, 'HTTP/1.1 401 Unauthorized\nwww-authenticate: Bearer'],
  ['permission', 'gh api /user', 1, 'gh: Bad credentials (HTTP 401)'],
  [
    'permission',
    'aws s3 ls',
    254,
    'An error occurred (AccessDenied) when calling the ListBuckets operation: Access Denied',
  ],
  [
    'permission',
    'kubectl get pods',
    1,
    'Error from server (Forbidden): pods is forbidden: User "dev" cannot list resource "pods"',
  ],
  ['permission', 'python a.py', 1, "PermissionError: [Errno 13] Permission denied: '/var/log/app.log'"],
  [
    'permission',
    'apt-get install x',
    100,
    'E: Could not open lock file /var/lib/dpkg/lock-frontend - open (13: Permission denied)\nE: Unable to acquire the dpkg frontend lock, are you root?',
  ],
  ['permission', 'sudo ls', 1, 'sudo: a terminal is required to read the password; either use the -S option'],
  ['permission', 'node s.js', 1, 'Error: listen EACCES: permission denied 0.0.0.0:80'],
  ['permission', 'psql', 2, 'psql: error: FATAL:  password authentication failed for user "app"'],
  ['permission', 'touch /x', 1, "touch: cannot touch '/x': Read-only file system"],
  ['permission', 'wget https://x.example/a', 8, '2026-11-20 10:00:00 ERROR 403: Forbidden.'],
  ['permission', 'Write', null, "Claude requested permissions to write to /etc/hosts, but you haven't granted it yet."],

  ['validation', 'node app.js', 1, 'ValidationError: "email" is required'],
  [
    'validation',
    'python app.py',
    1,
    'pydantic_core._pydantic_core.ValidationError: 1 validation error for User\nage\n  Input should be a valid integer [type=int_parsing]',
  ],
  ['validation', 'node app.js', 1, 'ZodError: ✖ Invalid input: expected string, received number\n  → at name'],
  ['validation', 'npm install', 1, 'npm error code ERESOLVE\nnpm error ERESOLVE unable to resolve dependency tree'],
  [
    'validation',
    'psql -f s.sql',
    3,
    'ERROR:  null value in column "email" of relation "users" violates not-null constraint',
  ],
  ['validation', 'sqlite3 a.db', 1, 'Error: UNIQUE constraint failed: users.email'],
  ['validation', 'docker run Foo:BAR:x', 125, 'docker: invalid reference format: repository name must be lowercase.'],
  [
    'validation',
    'kubectl apply -f d.yaml',
    1,
    'The Deployment "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
  ],
  ['validation', 'curl -f https://x.example', 22, 'curl: (22) The requested URL returned error: 422'],
  ['validation', 'node app.js', 1, 'Error: config/port must be a number'],
  ['validation', 'node app.js', 1, 'Error: Missing required environment variable: DATABASE_URL'],
  ['validation', 'terraform plan', 1, 'Error: Invalid value for variable\n\n  on main.tf line 3'],
  ['validation', 'python x.py', 1, "jsonschema.exceptions.ValidationError: 'name' is a required property"],
];
