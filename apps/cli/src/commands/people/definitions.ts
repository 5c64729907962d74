/** Which commands are about people: their tokens, where they log in, and what they ordered? */
import type { Command } from 'commander';
import type { Define } from '../../program/program.ts';

/** Adds `drover tokens`, `login`, `logout` and `audit`. */
export function addPeople(program: Command, define: Define): void {
  const tokens = define(program, {
    usage: 'tokens',
    about: 'show who has a token, with which role, and when it was last used',
    example: 'drover tokens\ndrover tokens create ann --role operator --expires 30d',
  });
  define(tokens, {
    usage: 'list',
    name: 'tokens',
    about: 'the same as "drover tokens"',
    example: 'drover tokens list --json',
  });
  define(tokens, {
    usage: 'create <name>',
    name: 'tokens-create',
    about: 'make a token; its secret goes to stdout, once',
    args: { name: 'whose it is: a person or a program' },
    example: 'drover tokens create ann --role operator --project shop --expires 30d > token',
  })
    .option('--role <role>', 'viewer, responder, operator or admin')
    .option('--project <name>', 'the only project that it reaches (default: all)')
    .option('--expires <span>', 'how long it is good, such as 90m, 12h or 30d (default: until it is revoked)');
  define(tokens, {
    usage: 'revoke <name>',
    name: 'tokens-revoke',
    about: 'take a token back: its open calls end within 5 seconds',
    args: { name: 'which token' },
    example: 'drover tokens revoke ann',
  })
    .option('--yes', 'also the token that this command uses, without asking')
    .option('--force', 'also the last token of an admin');
  define(program, {
    usage: 'login <url>',
    about: 'keep a token for a coordinator, for commands with DROVER_URL',
    args: { url: 'the address of the coordinator' },
    example: 'drover login https://drover.example.com < token\ndrover login https://drover.example.com',
  }).option('--force', 'send the token in clear text, without TLS');
  define(program, {
    usage: 'logout <url>',
    about: 'forget the token for a coordinator',
    args: { url: 'the address of the coordinator' },
    example: 'drover logout https://drover.example.com',
  });
  const audit = define(program, {
    usage: 'audit',
    about: 'show who ordered what: people, machines and the policy',
    example: 'drover audit --since 2h\ndrover audit --actor ann --json',
  })
    .option('--actor <actor>', 'only of this person, machine or worker, or "policy"')
    .option('--since <span>', 'only of the last 30m, 2h or 7d')
    .option('-n, --limit <count>', 'how many rows at most, the newest', '100');
  define(audit, {
    usage: 'verify',
    name: 'audit-verify',
    about: 'check that every row is there as it was written; keep what it prints elsewhere',
    example: 'drover audit verify\ndrover audit verify --json > heads.json\ndrover audit verify --kept heads.json',
  }).option('--kept <file>', 'what "drover audit verify --json" printed earlier: all of it must still be there');
}
