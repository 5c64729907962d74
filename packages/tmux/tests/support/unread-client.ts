/** Control client of the hub whose output nobody reads: its reader is this process, until it is killed. */
import { spawn } from 'node:child_process';

const [program, socket] = process.argv.slice(2);
if (program === undefined || socket === undefined) throw new Error('usage: unread-client.ts TMUX SOCKET');
const attach = ['-S', socket, '-C', 'attach-session', '-t', '=_hub', '-f', 'no-output,ignore-size'];
const client = spawn(program, attach, { stdio: ['pipe', 'pipe', 'ignore'] });
client.stdout.pause();
// Some megabytes, far more than a pipe holds; the option says that all of them wait in the server.
client.stdin.write('list-keys\n'.repeat(200));
client.stdin.write('set-option -s @unread yes\n');
