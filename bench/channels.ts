// Delivers texts by the channels of scripted Codex and OpenCode while every part is killed: the program's server and connection at each place of a
// delivery, Drover's process before and after the text was accepted. Counts texts that were lost, doubled or altered, and measures receipts.
//
// npm run bench -- channels [--smoke] [--set texts=10000] [--set seed=N]
import { play, ScriptedCodex, ScriptedOpenCode, TIMES, type ScriptedPeer } from '@drover/machine-agent/testing';
import type { Benchmark } from './src/benchmark.ts';
import { ms, percentile, table } from './src/table.ts';

/** Texts of each program, as the aim says together; the longest has 64 KB. */
const TEXTS = 10_000;
const BYTES_MAX = 65_536;
/** Aims for receipts, in milliseconds. */
const AIMS = { p50: 35, p99: 250 } as const;

const PEERS: Readonly<Record<string, (times: number) => Promise<ScriptedPeer>>> = {
  'codex app-server': (times) => ScriptedCodex.start(times),
  'opencode server': (times) => ScriptedOpenCode.start(times),
};

export const benchmark: Benchmark = {
  about: 'texts by the channels of scripted programs, with kills of every part: none lost, doubled or altered',
  run: async ({ smoke, settings }) => {
    const texts = Math.ceil(Number(settings['texts'] ?? (smoke ? 40 : TEXTS)) / Object.keys(PEERS).length);
    const seed = Number(settings['seed'] ?? 1);
    const rows: string[][] = [];
    let isRight = true;
    for (const [name, start] of Object.entries(PEERS)) {
      await using peer = await start(TIMES);
      const { wanted, ways, receiptMs } = await play(peer, { seed, texts, bytesMax: BYTES_MAX });
      const counts = differences(wanted, peer.taken());
      const [p50, p99] = [percentile(receiptMs, 0.5), percentile(receiptMs, 0.99)];
      const isOne = counts.lost + counts.doubled + counts.altered === 0;
      isRight &&= isOne && (smoke || (p50 <= AIMS.p50 && p99 <= AIMS.p99));
      const { channel, typed, again } = ways;
      rows.push(
        [name, wanted.length, channel, typed, again, counts.lost, counts.doubled, counts.altered, ms(p50), ms(p99)].map(
          String,
        ),
      );
    }
    const head = [
      'program',
      'texts',
      'by channel',
      'typed after all',
      'looked for again',
      'lost',
      'doubled',
      'altered',
      'p50',
      'p99',
    ];
    process.stdout.write(`${table(head, rows)}\n`);
    return isRight;
  },
};

/** Compares what a conversation must hold with what it holds. */
function differences(
  wanted: readonly string[],
  taken: readonly string[],
): { readonly lost: number; readonly doubled: number; readonly altered: number } {
  const counts = new Map<string, number>();
  for (const text of taken) counts.set(text, (counts.get(text) ?? 0) + 1);
  const known = new Set(wanted);
  return {
    lost: wanted.filter((text) => !counts.has(text)).length,
    doubled: [...counts].filter(([text, times]) => known.has(text) && times > 1).length,
    altered: [...counts.keys()].filter((text) => !known.has(text)).length,
  };
}
