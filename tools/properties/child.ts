// One process of `npm run properties`: it is told parts, and answers each with what its histories came to.
import { decide } from '@drover/core';
import { playPart } from './parts.ts';
import type { Part } from './parts.ts';

// Nobody wants more, or whoever asked is gone.
process.on('disconnect', () => process.exit());
process.on('message', (part: Part) => void process.send?.(playPart(part, decide)));
