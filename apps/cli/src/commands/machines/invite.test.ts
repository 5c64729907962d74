import { readEnvironment } from '@drover/config/surroundings';
import { expect, test } from 'vitest';
import { addressFor } from './invite.ts';

const PLACEHOLDER = 'COORDINATOR_URL';

test.each([
  ['https://drover.example.com', 'https://drover.example.com'],
  ['https://a.example.com:4680,https://b.example.com', 'https://a.example.com:4680,https://b.example.com'],
  [undefined, PLACEHOLDER],
  ['http://127.0.0.1:4680', PLACEHOLDER],
  ['https://a.example.com, http://localhost:4680', PLACEHOLDER],
  ['https://a.example.com/$(id)', PLACEHOLDER],
  ['nonsense', PLACEHOLDER],
])('given a person with the address %s, when they invite a machine, then the line names %s', (url, named) => {
  const environment = { ...readEnvironment(), url };

  expect(addressFor({ environment })).toBe(named);
});
