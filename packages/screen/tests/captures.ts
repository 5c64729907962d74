/** The recorded captures of real coding agents, unpacked. */
import { z } from 'zod';
import claude2197 from '../fixtures/claude-2197.json' with { type: 'json' };
import claudeClassic from '../fixtures/claude-classic.json' with { type: 'json' };
import claude from '../fixtures/claude.json' with { type: 'json' };
import codex171 from '../fixtures/codex-171.json' with { type: 'json' };
import codex from '../fixtures/codex.json' with { type: 'json' };
import copilot from '../fixtures/copilot.json' with { type: 'json' };
import gemini from '../fixtures/gemini.json' with { type: 'json' };
import opencode from '../fixtures/opencode.json' with { type: 'json' };
import pi from '../fixtures/pi.json' with { type: 'json' };
import qwen from '../fixtures/qwen.json' with { type: 'json' };
import { captureFileSchema, factsOf, profileNamed } from '../src/index.ts';
import type { CaptureFile, DetectInput, Profile } from '../src/index.ts';

/** Capture with its facts and label, and the text of `capture-pane -p -e`. */
export interface Capture {
  readonly name: string;
  readonly file: CaptureFile;
  readonly ansi: string;
}

const packed = z.object({
  captures: z.array(z.looseObject({ name: z.string(), rows: z.string() })),
  lines: z.array(z.string()),
});

const VARIANTS: Readonly<Record<string, unknown>> = {
  claude,
  'claude-classic': claudeClassic,
  'claude-2197': claude2197,
  codex,
  'codex-171': codex171,
  copilot,
  gemini,
  opencode,
  qwen,
  pi,
};

/** All captures, by variant in the order of their names. */
export const CAPTURES: readonly Capture[] = Object.entries(VARIANTS).flatMap(([variant, content]) => {
  const { captures, lines } = packed.parse(content);
  return captures.map((capture) => ({
    name: `${variant}/${capture.name}`,
    file: captureFileSchema.parse(capture),
    ansi: unpacked(capture.rows, lines),
  }));
});

/** The capture of a name such as `claude/ready-empty-80`. */
export function captureOf(name: string): Capture {
  const found = CAPTURES.find((capture) => capture.name === name);
  if (found === undefined) throw new Error(`There is no capture "${name}" in packages/screen/fixtures`);
  return found;
}

/** Returns the input of `detect` for a capture. */
export function inputOf({ file, ansi }: Capture): DetectInput {
  return { facts: factsOf(file), capture: ansi };
}

/** The profile of a capture's program. */
export function profileOf({ name, file }: Capture): Profile {
  const profile = profileNamed(file.program);
  if (profile === null) throw new Error(`No profile for "${name}"`);
  return profile;
}

function unpacked(rows: string, lines: readonly string[]): string {
  const found = rows.split(' ').flatMap((entry) => {
    const [at, times] = entry.split('x').map(Number);
    return Array<string>(times ?? 1).fill(lines[at ?? 0] ?? '');
  });
  return `${found.join('\n')}\n`;
}
