// Runs as one process of `npm run properties`: gets parts, and answers each with the results of its histories.
import { decide } from '@drover/core';
import { playPart } from './parts.ts';
import type { Part } from './parts.ts';

// The parent has ended, or needs no more.
process.on('disconnect', () => process.exit());
process.on('message', (part: Part) => void process.send?.(playPart(part, decide)));
