/** Draws random numbers, ids and secrets; nothing else in this app does. */
import { randomBytes, randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';
import type { Ids } from './ports.ts';

/** UUIDv7 ids, and secrets from the operating system's generator. */
export const systemIds: Ids = {
  uuid: (at = Date.now()) => {
    const random = sixteenBytes();
    // Within one millisecond, and after a clock was set back, the count continues from the previous id.
    last = at > last.msecs ? { msecs: at, seq: firstNumber(random) >>> 1 } : { ...last, seq: last.seq + 1 };
    return v7({ ...last, random });
  },
  secret: () => randomBytes(32).toString('base64url'),
};

/** Parts of the previous id; `seq` has 32 bits and starts in their lower half. */
let last = { msecs: 0, seq: 0 };

/** Random bytes of the operating system's generator. A decision needs several ids, so one call fetches bytes for many: each call costs. */
const supply = new Uint8Array(4_096);
let used = supply.length;

/** Takes 16 bytes that no other id uses. */
function sixteenBytes(): Uint8Array {
  if (used === supply.length) {
    randomFillSync(supply);
    used = 0;
  }
  used += 16;
  return supply.subarray(used - 16, used);
}

/** Reads 32 bits. An id takes its last 48 bits from elsewhere in the bytes. */
function firstNumber([first = 0, second = 0, third = 0, fourth = 0]: Uint8Array): number {
  return (first << 24) | (second << 16) | (third << 8) | fourth;
}

/** Random number in [0, 1). */
export const systemRandom = (): number => Math.random();
