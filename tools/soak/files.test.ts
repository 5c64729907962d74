// Checks that the rest of a killed writer's line in a file is told apart from a wrong line.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { addLine, linesOf } from './files.ts';

const line = z.object({ task: z.number() });

test('given a file whose writer was killed in the middle of a line, when it is read, then every whole line is there', () => {
  const directory = mkdtempSync(join(tmpdir(), 'soak-files-'));
  const file = join(directory, 'lines.jsonl');
  try {
    const before = linesOf(file, line);
    writeFileSync(file, '');
    addLine(file, { task: 1 });
    addLine(file, { task: 2, of: 'w1' });
    writeFileSync(file, '{"task":', { flag: 'a' });

    expect(before).toEqual([]);
    expect(linesOf(file, line)).toEqual([{ task: 1 }, { task: 2 }]);
    expect(linesOf(file, line, 'w1')).toEqual([{ task: 2 }]);
    expect(() => linesOf(file, z.object({ other: z.string() }))).toThrow('other');
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
