/** Checks which conversation is taken up by a program that names its conversations itself, as Qwen Code does. */
import { BUILT_IN_PROFILES, type Profile } from '@drover/screen';
import { expect, test } from 'vitest';
import { OPTIONS } from '../../src/panes/managed.ts';
import { expectKind, TestMachine } from '../support/machine.ts';
import { until } from '../support/until.ts';

/** The simulated agent, started without an id and known by its hooks alone. */
function namesItself(): Profile {
  const sim = BUILT_IN_PROFILES.get('sim');
  if (sim === undefined) throw new Error('Expected a built-in profile "sim"');
  return {
    ...sim,
    launch: { ...sim.launch, session: null },
    signals: { ...sim.signals, transcript: '{home}/.sim-agent/projects/{slug}/' },
  };
}

test('given a program that names its conversations itself, when it is started again, then it takes up by its id the one with the text of Drover', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  await machine.agent({ documents: new Map([...BUILT_IN_PROFILES, ['sim', namesItself()]]) });
  const settings = machine.worker();
  const incarnation = await machine.ready(settings);
  const { receipt } = await machine.turn({ settings, incarnation }, 'SAY the words of Drover');
  const conversation = machine.tmux('show-options', '-v', '-t', 'drover-alba', OPTIONS.conversation).trim();

  const launch = { kind: 'resume', conversation } as const;
  await expectKind(coordinator.carriedOut(settings, { kind: 'respawn', incarnation, launch, force: true }), 'opened');

  const [first, second] = await until('its second start', () => {
    const starts = machine.witnessed().filter(({ event }) => event === 'started');
    return starts.length > 1 ? starts : undefined;
  });
  expect(receipt.evidence).toContainEqual(expect.stringMatching(/^hook: /u));
  expect(first?.argv).not.toContain('--session-id');
  expect(second?.argv).toEqual(expect.arrayContaining(['--resume', first?.session]));
  expect(second?.argv).not.toContain('--continue');
});
