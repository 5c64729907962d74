/** Checks that the second client of Codex keeps the contract of channels. */
import { channelContract } from './contract.ts';
import { ScriptedCodex } from '../../src/testing/channels/scripted-codex.ts';

channelContract((times) => ScriptedCodex.start(times), ['Yes, proceed', 'No, and tell Codex what to do differently']);
