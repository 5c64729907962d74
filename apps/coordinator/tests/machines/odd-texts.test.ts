/** A machine reports text that no column of the database can hold: the machine is let in, and people see its text. On a real Postgres. */
import { PROTOCOL_VERSION } from '@drover/protocol';
import { expect, test } from 'vitest';
import { call, scene } from '../support/coordinator.ts';
import { post } from '../support/scripted-machine.ts';
import { waitFor } from '../support/wait-for.ts';

/** A zero byte and half of a character. */
const ODD = 'a\0b\ud800';
const SHOWN = 'a⟨U+0000⟩b\ufffd';

test('given a machine with a zero byte and half a character in all that it says of itself, when it says hello and syncs, then it is served', async () => {
  await using given = await scene();
  const { machine, coordinator } = given;
  const agentEpoch = machine.agentEpoch;
  const facts = { hostname: ODD, platform: ODD, tmux: ODD, git: ODD, node: ODD, zone: ODD };
  const places = { workspace: `/w/${ODD}`, roots: { [ODD]: ODD } };
  const condition = {
    sentAt: 1,
    programs: [{ of: 'profile', name: ODD, state: 'present', version: ODD }],
    processors: 4,
    load: 0.5,
    memory: { bytes: 16e9, freeBytes: 8e9 },
    disk: null,
  };

  const whole = await machine.helloRequest();
  machine.greeted(await post(`${coordinator.url}/agent/hello`, { ...whole, version: ODD, facts, places }));
  const poll = { agentEpoch, acks: [], observations: [], condition };
  await post(`${coordinator.url}/agent/sync?wait=0`, poll, machine.accessToken);
  await machine.connect();
  machine.say({ ...poll, condition: { ...condition, processors: 5 } });

  const shown = async (): Promise<unknown> => call(coordinator.url, 'machines.list');
  await waitFor(async () => JSON.stringify(await shown()).includes('"processors":5'));
  expect(await shown()).toMatchObject([
    {
      state: 'connected',
      facts: { hostname: SHOWN, zone: SHOWN, protocol: PROTOCOL_VERSION },
      condition: { programs: [{ name: SHOWN, version: SHOWN }] },
    },
  ]);
});
