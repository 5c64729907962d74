/** The promises that every decision keeps (docs/recovery.md, Rules). */
import { R1 } from './r1.ts';
import { R2_BUDGETS, R2_PAUSES } from './r2.ts';
import { R3 } from './r3.ts';
import { R4 } from './r4.ts';
import { R5 } from './r5.ts';
import { R6 } from './r6.ts';
import { R7 } from './r7.ts';
import { R8 } from './r8.ts';
import { G2, G3, G5, G7, G9 } from './merged.ts';
import { M1, M2, M3 } from './moves.ts';
import type { Rule } from './rule.ts';
import { ROUND_TRIP, TOTAL } from './total.ts';

/** All of them, in the order of their letters. */
export const RULES: readonly Rule[] = [
  R1,
  R2_BUDGETS,
  R2_PAUSES,
  R3,
  R4,
  R5,
  R6,
  R7,
  R8,
  G2,
  G3,
  G5,
  G7,
  G9,
  M1,
  M2,
  M3,
  TOTAL,
  ROUND_TRIP,
];
