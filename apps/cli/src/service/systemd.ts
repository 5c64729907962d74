/** The agent as a unit of the user's systemd. */
import path from 'node:path';
import type { Running, Service, ServiceParts } from './service.ts';

const UNIT = 'drover-agent.service';
const USER = ['--user'] as const;

/** Defines a unit that outlives a logout, because the user lingers; each tmux server gets a scope of its own, which no restart of the unit ends. */
export function systemdService(parts: ServiceParts): Service {
  const { configHome, user } = parts;
  return {
    file: path.join(configHome, 'systemd', 'user', UNIT),
    text: unitText(parts),
    install: [
      {
        words: ['loginctl', 'enable-linger', user],
        mayFail: true,
        advice: `without it systemd ends the agent and all panes when you log out: have an administrator run "loginctl enable-linger ${user}"`,
      },
      {
        words: ['systemctl', ...USER, 'daemon-reload'],
        advice: `this login may have no systemd, as after "su" or "sudo": log in by ssh or at the machine and repeat, or run "drover server agent" here`,
      },
      { words: ['systemctl', ...USER, 'enable', UNIT] },
      // Restarts a running service: the file or the program is new.
      { words: ['systemctl', ...USER, 'restart', UNIT] },
    ],
    uninstall: [
      { words: ['systemctl', ...USER, 'disable', '--now', UNIT] },
      { words: ['systemctl', ...USER, 'daemon-reload'], mayFail: true },
    ],
    stop: { words: ['systemctl', ...USER, 'stop', UNIT] },
    start: { words: ['systemctl', ...USER, 'start', UNIT] },
    status: { words: ['systemctl', ...USER, 'show', UNIT, '--property=ActiveState,SubState,MainPID'] },
    read,
  };
}

function read(answer: string): Running | null {
  const facts = new Map(
    answer.split('\n').flatMap((line): [string, string][] => {
      const at = line.indexOf('=');
      return at < 0 ? [] : [[line.slice(0, at), line.slice(at + 1).trim()]];
    }),
  );
  const pid = Number(facts.get('MainPID') ?? 0);
  if (facts.get('ActiveState') !== 'active') return null;
  return { state: facts.get('SubState') ?? 'active', pid: pid > 0 ? pid : null };
}

function unitText({ program, searchPath, variables, home, version }: ServiceParts): string {
  const environment = Object.entries({ PATH: searchPath, ...variables });
  return `# Written by "drover machine service install" of Drover ${version}, which writes it again: changes here are lost.
[Unit]
Description=Drover machine agent
After=network-online.target
StartLimitIntervalSec=0

[Service]
${environment.map(([name, value]) => `Environment=${quoteForSystemd(`${name}=${value}`)}`).join('\n')}
ExecStart=${[...program, 'server', 'agent', '--tmux-scope'].map((word) => quoteForSystemd(word.replaceAll('$', '$$$$'))).join(' ')}
WorkingDirectory=${home.replaceAll('%', '%%')}
Restart=always
RestartSec=5
# Only the agent itself: what it started works on while it is replaced, and the next one finds it.
KillMode=process
TimeoutStopSec=40

[Install]
WantedBy=default.target
`;
}

/** Quotes a word for systemd. Source: systemd.syntax(7), quoting; systemd.unit(5), specifiers. */
function quoteForSystemd(word: string): string {
  return `"${word.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%').replaceAll('\n', '\\n')}"`;
}
