/** Lists outputs of programs when the network is away or a service asks them to slow down. */

import type { Example } from './example.ts';

/** Outputs of `network` and `rate_limit`. */
export const NETWORK_AND_LIMITS: readonly Example[] = [
  [
    'network',
    'npm install',
    1,
    'npm error code ECONNREFUSED\nnpm error syscall connect\nnpm error errno ECONNREFUSED\nnpm error FetchError: request to http://127.0.0.1:4873/left-pad failed, reason: connect ECONNREFUSED 127.0.0.1:4873',
  ],
  [
    'network',
    'npm ci',
    1,
    'npm error code ENOTFOUND\nnpm error errno ENOTFOUND\nnpm error network request to https://registry.npmjs.org/zod failed, reason: getaddrinfo ENOTFOUND registry.npmjs.org',
  ],
  [
    'network',
    'npm ci',
    1,
    'npm error code ETIMEDOUT\nnpm error network request to https://registry.npmjs.org/zod failed, reason: connect ETIMEDOUT 104.16.1.34:443',
  ],
  [
    'network',
    'npm ci',
    1,
    'npm error code ECONNRESET\nnpm error network aborted\nnpm error network This is a problem related to network connectivity.',
  ],
  [
    'network',
    'git fetch',
    128,
    "fatal: unable to access 'https://github.com/acme/app.git/': Could not resolve host: github.com",
  ],
  [
    'network',
    'git push',
    128,
    'ssh: connect to host github.com port 22: Connection timed out\nfatal: Could not read from remote repository.',
  ],
  [
    'network',
    'git pull',
    128,
    'ssh: Could not resolve hostname github.com: Temporary failure in name resolution\nfatal: Could not read from remote repository.',
  ],
  [
    'network',
    'git clone x',
    128,
    'error: RPC failed; curl 56 GnuTLS recv error\nfatal: the remote end hung up unexpectedly\nerror: Connection reset by peer',
  ],
  [
    'network',
    'curl -s http://localhost:3000',
    7,
    "curl: (7) Failed to connect to localhost port 3000 after 0 ms: Couldn't connect to server",
  ],
  ['network', 'curl https://x.example', 6, 'curl: (6) Could not resolve host: x.example'],
  [
    'network',
    'curl https://x.example',
    35,
    'curl: (35) OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to x.example:443',
  ],
  [
    'network',
    'wget https://x.example',
    4,
    'wget: unable to resolve host address ‘x.example’: Temporary failure in name resolution',
  ],
  [
    'network',
    'pip install requests',
    1,
    "WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError(...: [Errno -3] Temporary failure in name resolution)': /simple/requests/\nERROR: Could not find a version that satisfies the requirement requests",
  ],
  [
    'network',
    'python app.py',
    1,
    'Traceback (most recent call last):\n  File "app.py", line 3, in <module>\n    urlopen(url)\nurllib.error.URLError: <urlopen error [Errno 111] Connection refused>',
  ],
  [
    'network',
    'python app.py',
    1,
    "requests.exceptions.ConnectionError: ('Connection aborted.', RemoteDisconnected('Remote end closed connection without response'))",
  ],
  [
    'network',
    'node app.js',
    1,
    "Error: socket hang up\n    at connResetException (node:internal/errors:720:14)\n  code: 'ECONNRESET'",
  ],
  ['network', 'node app.js', 1, 'TypeError: fetch failed\n    at node:internal/deps/undici/undici:13502:13'],
  [
    'network',
    'psql',
    2,
    'psql: error: connection to server at "localhost" (::1), port 5432 failed: Connection refused\n\tIs the server running on that host and accepting TCP/IP connections?',
  ],
  [
    'network',
    'cargo build',
    101,
    'error: failed to download from `https://index.crates.io/se/rd/serde`\nCaused by:\n  [6] Could not resolve hostname (Could not resolve host: index.crates.io)',
  ],
  [
    'network',
    'go mod download',
    1,
    'go: example.com/m@v1.0.0: Get "https://proxy.golang.org/example.com/m": dial tcp: lookup proxy.golang.org: no such host',
  ],
  [
    'network',
    'docker pull alpine',
    1,
    'Error response from daemon: Get "https://registry-1.docker.io/v2/": net/http: TLS handshake timeout',
  ],
  [
    'network',
    'kubectl get pods',
    1,
    'Unable to connect to the server: dial tcp 10.0.0.1:443: connect: no route to host',
  ],
  [
    'network',
    'apt-get update',
    100,
    "Err:1 http://deb.debian.org/debian bookworm InRelease\n  Temporary failure resolving 'deb.debian.org'",
  ],
  ['network', 'npx playwright test', 1, 'Error: page.goto: net::ERR_CONNECTION_REFUSED at http://localhost:5173/'],

  ['rate_limit', 'gh api repos/x', 1, 'gh: API rate limit exceeded for user ID 123. (HTTP 403)'],
  [
    'rate_limit',
    'gh pr create',
    1,
    'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.',
  ],
  [
    'rate_limit',
    'docker pull alpine',
    1,
    'Error response from daemon: toomanyrequests: You have reached your pull rate limit.',
  ],
  [
    'rate_limit',
    'npm publish',
    1,
    'npm error code E429\nnpm error 429 Too Many Requests - PUT https://registry.npmjs.org/x',
  ],
  [
    'rate_limit',
    'python ask.py',
    1,
    "openai.RateLimitError: Error code: 429 - {'error': {'message': 'Rate limit reached for gpt-5'}}",
  ],
  ['rate_limit', 'node ask.js', 1, 'AxiosError: Request failed with status code 429'],
  ['rate_limit', 'curl -f https://api.x.example', 22, 'curl: (22) The requested URL returned error: 429'],
  [
    'rate_limit',
    'aws s3 ls',
    254,
    'An error occurred (ThrottlingException) when calling the ListBuckets operation: Rate exceeded',
  ],
  [
    'rate_limit',
    'gcloud run deploy',
    1,
    "ERROR: (gcloud.run.deploy) RESOURCE_EXHAUSTED: Quota exceeded for quota metric 'Write requests'",
  ],
  [
    'rate_limit',
    'python ask.py',
    1,
    "Error: You exceeded your current quota, please check your plan and billing details. type: 'insufficient_quota'",
  ],
  ['rate_limit', 'WebFetch', null, 'Request was throttled. Expected available in 36 seconds.'],
  ['rate_limit', 'WebFetch', null, 'HTTP/1.1 429\nretry-after: 30'],
];
