// Bytes that chance makes, changes and cuts.
import type { SeededRandom } from '@drover/testkit';

/** Changes, removes or doubles some bytes. */
export function mutate(random: SeededRandom, bytes: Buffer): Buffer {
  let now = Buffer.from(bytes);
  for (let left = random.int(1, 6); left > 0 && now.length > 0; left -= 1) {
    const at = random.int(0, now.length - 1);
    const to = Math.min(now.length, at + random.int(1, 20));
    switch (random.int(0, 3)) {
      case 0:
        now[at] = random.int(0, 255);
        break;
      case 1:
        now = Buffer.concat([now.subarray(0, at), now.subarray(to)]);
        break;
      case 2:
        now = Buffer.concat([now.subarray(0, to), now.subarray(at)]);
        break;
      default:
        now = random.chance(0.3)
          ? now.subarray(0, at)
          : Buffer.concat([now.subarray(0, at), noise(random, 5), now.subarray(at)]);
    }
  }
  return now;
}

/** Cuts the bytes into one packet, or several. */
export function cut(random: SeededRandom, bytes: Buffer): readonly Buffer[] {
  if (random.chance(0.7)) return [bytes];
  const at = random.int(0, bytes.length);
  return [bytes.subarray(0, at), bytes.subarray(at)];
}

/** Makes arbitrary bytes. */
export function noise(random: SeededRandom, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random.int(0, 255)));
}

/** Makes from one to so many items. */
export function many<T>(random: SeededRandom, max: number, make: () => T): T[] {
  return Array.from({ length: random.int(1, max) }, make);
}
