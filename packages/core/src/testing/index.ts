/** Exports the parts of the policy's tests that other rooms may use. */
export { playOnce, prove } from './check.ts';
export type { Proof, ProofOptions } from './check.ts';
export { RULES } from './rules/index.ts';
export type { Rule } from './rules/rule.ts';
export { diceFrom } from './dice.ts';
export { likelyEvent } from './events.ts';
export { moodFrom } from './mood.ts';
export { SUPPLIES } from './laden.ts';
export { idle, inReview, Story, working } from './story.ts';
