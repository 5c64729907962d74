/** Permission prompts: answered by the project's dialog policy, by a person's answer, or by hand in the pane. */
import { committing, WORDS, type Scenario } from '../support/scenario.ts';

const DIALOGS = 'Dialogs';

/** No tool may run without a question. */
const STRICT = 'excluded_from_pool = true\nallowed_tools = ["Read"]';

/** Possible answers of a person: the program's own options, and two that every question has. */
const OPTIONS = [
  'Yes',
  'Yes, and switch to auto mode · auto mode handles these prompts for you',
  'No',
  'skip',
  'take-over',
];

/** Scenarios of dialogs.nightly.test.ts, too. */
export const PERMISSIONS: readonly Scenario[] = [
  {
    section: DIALOGS,
    seen: 'a permission prompt, and `allow`',
    done: 'The first option that says yes for this one time',
    title:
      'given a policy that allows, when the agent asks for permission, then it gets its yes and no person is asked',
    worker: 'allowed',
    isSample: true,
    settings: STRICT,
    policy: '[policy.dialogs]\npermission = "allow"\n',
    prompt: committing('with permission', 'PERMISSION Bash touch permitted.txt'),
    act: (scene) => scene.witnessed('dialog-answered', '"answer":"Yes"'),
    end: {
      status: 'needs_review',
      errors: {},
      rules: ['dialog:allow', 'commit-found'],
      why: /asks for permission: Bash touch permitted\.txt; the policy says "Yes"/u,
      commits: ['with permission'],
    },
  },
  {
    section: DIALOGS,
    seen: 'a permission prompt, and `deny`',
    done: 'The first option that says no',
    title: 'given a policy that denies, when the agent asks for permission, then it gets its no and stops',
    worker: 'denied',
    settings: STRICT,
    policy: '[policy.dialogs]\npermission = "deny"\n',
    prompt: 'PERMISSION Bash touch forbidden.txt',
    act: (scene) => scene.witnessed('dialog-answered', '"answer":"No"'),
    end: {
      status: 'needs_input',
      note: /stopped/u,
      errors: { AGENT_BLOCKED: 'open' },
      rules: ['dialog:deny', 'answered', 'no-commit'],
      asks: { title: /stopped/u, options: WORDS },
      why: /It waits for a person/u,
    },
  },
  {
    section: DIALOGS,
    seen: 'a permission prompt, and a rule for its tool and command',
    done: 'As the first rule says that fits; all others are a person’s',
    title:
      'given a rule that allows one command, when the agent asks for it and for another one, then a person is asked for the other',
    worker: 'ruled',
    settings: STRICT,
    policy: '[[policy.dialogs.rules]]\ntool = "Bash"\ncommand = "touch *"\nwish = "allow"\n',
    prompt: committing('by rule and by hand', 'PERMISSION Bash touch one.txt', 'PERMISSION Bash ls one.txt'),
    act: async (scene) => {
      await scene.reach('needs_input', /asks for permission: Bash ls one\.txt/u);
      await scene.answer('Yes');
      await scene.reach('needs_review');
    },
    end: {
      status: 'needs_review',
      errors: { AGENT_BLOCKED: 'recovered' },
      rules: ['dialog:allow', 'asks:permission', 'answer:option', 'commit-found'],
      why: /asks for permission: Bash ls one\.txt/u,
      commits: ['by rule and by hand'],
    },
  },
  {
    section: DIALOGS,
    seen: 'a permission prompt, and `ask` (the default)',
    done: '`needs_input`, and a question with the words of the dialog’s own options',
    title: 'given the default policy, when the agent asks for permission, then a person is asked with its own options',
    worker: 'asked',
    settings: STRICT,
    prompt: 'PERMISSION Bash git push',
    end: {
      status: 'needs_input',
      note: /asks for permission: Bash git push/u,
      errors: { AGENT_BLOCKED: 'open' },
      rules: ['asks:permission'],
      asks: {
        title: /asks for permission: Bash git push/u,
        options: ['Yes', 'Yes, and don’t ask again for: git push *', ...OPTIONS.slice(1)],
      },
      why: /drover answer \S+ --option Yes /u,
    },
  },
  {
    section: DIALOGS,
    seen: 'a person says no',
    done: 'That option is chosen, also where another one is highlighted',
    title: 'given a permission prompt, when a person chooses the last option, then the agent has exactly that answer',
    worker: 'refused',
    settings: STRICT,
    prompt: 'PERMISSION Bash rm -r precious',
    act: async (scene) => {
      await scene.reach('needs_input', /asks for permission/u);
      await scene.answer('No');
      await scene.witnessed('dialog-answered', '"answer":"No"');
      await scene.reach('needs_input', /stopped/u);
    },
    end: {
      status: 'needs_input',
      note: /stopped/u,
      errors: { AGENT_BLOCKED: 'open' },
      rules: ['asks:permission', 'answer:option', 'answered'],
      asks: { title: /stopped/u, options: WORDS },
      // Newest first: the present question was found after the answer. The observation of "ready" comes before or after by chance.
      why: /(?:→ needs_input|needs a person \(AGENT_BLOCKED\)): stopped without a new commit[^]*answered: No/u,
    },
  },
  {
    section: DIALOGS,
    seen: 'a person answers by hand in the pane',
    done: 'The question is over, and the work goes on',
    title: 'given a permission prompt, when a person presses the key in the session, then the question is over',
    worker: 'pressed',
    settings: STRICT,
    prompt: committing('by hand', 'PERMISSION Bash touch pressed.txt'),
    act: async (scene) => {
      await scene.reach('needs_input', /asks for permission/u);
      await scene.keys('1');
      await scene.witnessed('dialog-answered', '"answer":"Yes"');
    },
    end: {
      status: 'needs_review',
      errors: { AGENT_BLOCKED: 'recovered' },
      rules: ['asks:permission', 'dialog-gone', 'commit-found'],
      why: /the dialog is no longer on the screen|committed/u,
      commits: ['by hand'],
    },
  },
  {
    section: DIALOGS,
    seen: 'the same dialog for the fourth time in a task',
    done: 'A person is asked, also where the policy has an answer',
    title: 'given the same permission prompt over and over, when it was allowed three times, then a person is asked',
    worker: 'over-and-over',
    settings: STRICT,
    policy: '[policy.dialogs]\npermission = "allow"\n',
    // Another prompt lies between, because two identical ones cannot be told apart.
    prompt: Array.from({ length: 4 }, (_, round) => `PERMISSION Bash true\nPERMISSION Bash echo ${round}`).join('\n'),
    end: {
      status: 'needs_input',
      note: /Drover has answered it 3 times/u,
      errors: { AGENT_BLOCKED: 'open' },
      rules: [...Array.from({ length: 6 }, () => 'dialog:allow'), 'asks:permission'],
      asks: { title: /Drover has answered it 3 times/u, options: OPTIONS },
      why: /Drover has answered it 3 times/u,
    },
  },
];
