// Lets a step of a turn say, work, use tools and ask; each leaves its traces on screen, disk and hooks.

import { pause } from '@drover/base';
import { permissionAnswer, type HookResult } from '../options/hooks.ts';
import { LABELS, permissionDialog } from '../dialog/known.ts';
import type { Session } from '../session.ts';
import type { Spinner } from '../screen/view.ts';

/** End of a turn. Only `ended` fires the Stop hook, only `failed` the StopFailure hook; the others fire none. */
export type TurnOutcome = 'ended' | 'failed' | 'rejected' | 'interrupted';

/** Tells whether the turn goes on after a step; if not, how it ended. */
export type AfterStep = 'go-on' | 'ended' | 'failed' | 'rejected';

/** Tool call, and how it looks. */
interface ToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Runs the tool. A failure is returned, not thrown. */
  readonly run: () => Promise<ToolResult>;
}

/** Result of a tool call: `text` is what the model reads, the error when it failed. */
export interface ToolResult {
  readonly failed: boolean;
  readonly text: string;
  /** Data for the hooks; the text alone when there is nothing more. */
  readonly response?: Readonly<Record<string, unknown>>;
}

/** Turn under way. Aborting `stop` interrupts it at its next wait. */
export class Turn {
  readonly session: Session;
  readonly prompt: string;
  readonly promptId: string;
  readonly stop = new AbortController();
  /** A deaf turn takes no interrupts: the program hangs. */
  deaf = false;
  /** Tells whether the agent has said or done something; before that an interrupt gives the prompt back. */
  produced = false;
  lastMessage = '';
  #tools = 0;

  constructor(session: Session, prompt: string, promptId: string) {
    this.session = session;
    this.prompt = prompt;
    this.promptId = promptId;
  }

  get interrupted(): boolean {
    return this.stop.signal.aborted;
  }

  /** The agent says something. */
  say(text: string): void {
    this.produced = true;
    this.lastMessage = text;
    this.session.push({ kind: 'answer', text });
    this.session.transcript.assistant({ type: 'text', text });
  }

  /** The agent says lines one after the other, `everyMs` apart. */
  async stream(lines: readonly string[], everyMs: number): Promise<void> {
    this.spin('silent');
    this.produced = true;
    let shown = '';
    for (const [index, line] of lines.entries()) {
      if (this.interrupted) break;
      shown += index === 0 ? line : `\n${line}`;
      if (index === 0) this.session.push({ kind: 'answer', text: shown });
      else this.session.replaceLast({ kind: 'answer', text: shown });
      await this.pause(everyMs);
    }
    this.lastMessage = shown;
    this.session.transcript.assistant({ type: 'text', text: shown });
  }

  /** Sets the line above the prompt box. */
  spin(kind: Spinner['kind'], text?: string, detail = ''): void {
    const { spinner, persona } = this.session.view;
    const verbs = persona.spinnerVerbs;
    const verb = verbs[Number.parseInt(this.promptId.slice(0, 4), 16) % verbs.length] ?? 'Working';
    const since = spinner?.since ?? this.session.world.clock.now();
    this.session.patch({ spinner: { kind, text: text ?? verb, detail, since } });
  }

  /** Waits, at most until the turn is interrupted. */
  async pause(ms: number): Promise<void> {
    await pause(this.session.world.clock, ms, this.stop.signal);
  }

  /** Works visibly for a time. */
  async work(ms: number, kind: 'working' | 'thinking' = 'working'): Promise<void> {
    this.spin(kind);
    await this.pause(ms);
  }

  /** Calls a tool that needs no permission, with its hooks and its lines in the transcript. */
  async tool(call: ToolCall): Promise<ToolResult> {
    const id = await this.announce(call);
    return this.finish(call, id);
  }

  /** Calls a tool that needs a permission. @returns undefined when the person said no. */
  async guardedTool(call: ToolCall, subject: string): Promise<ToolResult | undefined> {
    const id = await this.announce(call);
    const allowed = await this.#permitted(call, subject);
    if (allowed) return this.finish(call, id);
    const text =
      "The user doesn't want to proceed with this tool use. The tool use was rejected. STOP what you are doing and wait for the user to tell you how to proceed.";
    this.session.transcript.toolResult(this.promptId, { id, text, failed: true });
    this.session.transcript.interrupted(this.promptId, true);
    this.session.push(
      { kind: 'tool-summary', verb: 'Did not run', strong: '1', rest: 'call' },
      { kind: 'detail', text: call.name === 'Bash' ? `$ ${subject}` : subject, tone: 'muted' },
      { kind: 'detail', text: this.session.view.persona.texts.interrupted, tone: 'muted' },
    );
    return undefined;
  }

  /** Tells of a tool call before it runs. @returns the call's id. */
  async announce(call: ToolCall): Promise<string> {
    this.produced = true;
    this.#tools += 1;
    const id = `toolu_${this.promptId.replaceAll('-', '').slice(0, 16)}${this.#tools}`;
    this.session.transcript.assistant({ type: 'tool_use', id, name: call.name, input: call.input }, 'tool_use');
    await this.session.fire('PreToolUse', { tool_name: call.name, tool_input: call.input, tool_use_id: id }, call.name);
    return id;
  }

  /** Runs an announced call and tells how it went. */
  async finish(call: ToolCall, id: string): Promise<ToolResult> {
    const began = this.session.world.clock.now();
    const result = await call.run();
    const facts = {
      tool_name: call.name,
      tool_input: call.input,
      tool_use_id: id,
      duration_ms: this.session.world.clock.now() - began,
    };
    this.session.transcript.toolResult(this.promptId, { id, text: result.text, failed: result.failed });
    if (result.failed) {
      await this.session.fire('PostToolUseFailure', { ...facts, error: result.text, is_interrupt: false }, call.name);
    } else {
      const response = result.response ?? { stdout: result.text, stderr: '', interrupted: false, isImage: false };
      await this.session.fire('PostToolUse', { ...facts, tool_response: response }, call.name);
    }
    return result;
  }

  async #permitted(call: ToolCall, subject: string): Promise<boolean> {
    const { session } = this;
    if (
      ['bypassPermissions', 'auto'].includes(session.view.mode) ||
      isAllowed(session.options.allowedTools, call.name, subject)
    )
      return true;
    if (session.view.mode === 'acceptEdits' && ['Write', 'Edit'].includes(call.name)) return true;
    // The dialog is on the screen before its hook answers: both race for the answer, and the hook's silence decides nothing.
    const fired = session.fire(
      'PermissionRequest',
      { tool_name: call.name, tool_input: call.input, permission_suggestions: [] },
      call.name,
    );
    const asked = session.ask(permissionDialog(call.name, subject), 'permission prompt');
    const calledOff = session.world.clock.after(NOTIFY_AFTER_MS, () => {
      const message = `Claude needs your permission to use ${call.name}`;
      void session.fire('Notification', { message, notification_type: 'permission_prompt' }, 'permission_prompt');
    });
    void answerByHook(session, fired);
    const answer = await asked;
    calledOff();
    if (answer.kind === 'cancelled' || answer.label === LABELS.no) return false;
    if (answer.label === LABELS.autoMode) session.patch({ mode: 'auto' });
    if (answer.label === LABELS.acceptEdits) session.patch({ mode: 'acceptEdits' });
    return true;
  }
}

/** A hook may answer a permission dialog; a hook that says nothing leaves it open. */
async function answerByHook(session: Session, fired: Promise<readonly HookResult[]>): Promise<void> {
  const answer = permissionAnswer(await fired);
  if (answer === undefined) return;
  session.closeDialog({ kind: 'chosen', index: 0, label: answer === 'allow' ? 'Yes' : LABELS.no, typed: '' });
}

/** The permission notification comes this long after its dialog. Measured on Claude Code 2.1.330. */
const NOTIFY_AFTER_MS = 6_000;

/** Rules read `Tool` or `Tool(prefix*)`. */
function isAllowed(rules: readonly string[], tool: string, subject: string): boolean {
  return rules.some((rule) => {
    const [, name, pattern] = /^(\w+)(?:\((.*)\))?$/.exec(rule) ?? [];
    if (name !== tool) return false;
    if (pattern === undefined || pattern === '*') return true;
    const prefix = pattern.replace(/:?\*$/, '');
    return pattern.endsWith('*') ? subject.startsWith(prefix) : subject === pattern;
  });
}
