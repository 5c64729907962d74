/** Program for panes: takes input raw, asks for bracketed paste, and logs every byte it gets. */
import { appendFileSync } from 'node:fs';

const log = process.argv[2];
if (log === undefined) throw new Error('usage: receiver.ts LOG');
process.stdin.setRawMode(true);
process.stdin.on('data', (bytes: Buffer) => {
  appendFileSync(log, bytes);
  if (bytes.length === 1 && bytes[0] === 0x04) process.exit(0);
});
process.stdout.write('\u001b[?2004hREADY\r\n');
