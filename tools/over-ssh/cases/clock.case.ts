// Checks that a clock that is set while the machine is served is noticed with the next list of its panes, whatever it says then.
import { randomUUID } from 'node:crypto';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@drover/base';
import { sshHostOn, startSshd, type TestSshd } from '@drover/host/testing';
import { TmuxServer } from '@drover/tmux';
import { describe, expect, test } from 'vitest';

const WITHIN = { timeoutMs: 60_000 };
const HOUR_S = 3_600;
const HOUR_MS = 3_600_000;

/**
 * Fakes a tmux whose answers in whole seconds are those of another clock: `clock` holds the seconds that are added, or what is said instead. The
 * fake stands between a real server and its control client.
 */
const TMUX = String.raw`#!/bin/sh
case " $* " in *" -C "*) ;; *) exec tmux "$@";; esac
LC_ALL=C tmux "$@" | while IFS= read -r line; do
  case $line in
    *[!0-9]*) ;;
    1?????????) read -r by word <HOME/clock; case $by in add) line=$((line + word));; *) line=$word;; esac;;
  esac
  printf '%s\n' "$line"
done
`;

async function tmuxWithClock({ home }: TestSshd): Promise<{ program: string; set: (how: string) => Promise<void> }> {
  const program = join(home, 'own-tmux');
  const set = (how: string): Promise<void> => writeFile(join(home, 'clock'), `${how}\n`);
  await writeFile(program, TMUX.replace('HOME', home));
  await chmod(program, 0o755);
  await set('add 0');
  return { program, set };
}

describe.each(['ssh2', 'openssh'] as const)('carried by %s', (carrier) => {
  test('given a clock that is set an hour ahead, an hour back, or to nonsense, when panes are listed, then it is judged by that list', async () => {
    await using sshd = await startSshd();
    await using host = sshHostOn(sshd, { carrier });
    await host.open();
    await host.facts();
    const { program, set } = await tmuxWithClock(sshd);
    const socket = join(sshd.home, 'panes');
    await using server = await TmuxServer.open({
      host,
      program,
      clock: systemClock,
      socket: { kind: 'path', path: socket },
      secret: randomUUID(),
    });
    const offsetAfter = async (how: string): Promise<number> => {
      await set(how);
      await server.listPanes();
      return host.clockOffsetMs();
    };
    try {
      expect(server.isConnected).toBe(true);
      expect(await offsetAfter('add 0')).toBe(0);
      for (const add of [HOUR_S, -HOUR_S, 10, 10 * HOUR_S, -3])
        expect(Math.abs((await offsetAfter(`add ${add}`)) - add * 1_000)).toBeLessThan(1_000);
      expect(await offsetAfter('add 0')).toBe(0);

      expect(await offsetAfter('say 0')).toBeLessThan(-20 * 365 * 24 * HOUR_MS);
      expect(await offsetAfter('say 253402300799')).toBeGreaterThan(1_000 * 365 * 24 * HOUR_MS);
      for (const how of ['say never', 'say -1', `say ${'9'.repeat(300)}`, 'say']) {
        await set(how);
        await expect(server.listPanes()).rejects.toMatchObject({ code: 'refused' });
      }
      expect(await offsetAfter('add 0')).toBe(0);
    } finally {
      await host.run('tmux', ['-S', socket, 'kill-server'], WITHIN).catch(() => {});
    }
  });
});
