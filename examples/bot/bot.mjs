// Shows questions of Drover in this terminal and sends answers back: a start for a bot of your own. Needs Node 20 and nothing else.
import { createInterface } from 'node:readline';

const { DROVER_URL: base, DROVER_TOKEN: token } = process.env;
if (!base || !token) throw new Error('Set DROVER_URL and DROVER_TOKEN: README.md says how');
const shown = new Map(); // the questions on the screen, by their short ids

async function drover(path, body, key) {
  const response = await fetch(base + path, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json', 'idempotency-key': key }),
    },
    body: body && JSON.stringify(body),
  });
  if (response.status === 429) {
    await new Promise((done) => setTimeout(done, 1000 * response.headers.get('retry-after')));
    return drover(path, body, key);
  }
  return { isOk: response.ok, ...(await response.json()) };
}

async function show() {
  const { items = [], detail } = await drover('/v1/escalations');
  if (detail) console.log(detail);
  for (const { id, shortId, asked, worker, title, question } of items) {
    if (shown.get(shortId)?.asked === asked) continue;
    shown.set(shortId, { id, asked, options: question.options });
    console.log(`\n${worker}: ${title}`);
    for (const [place, { label }] of question.options.entries()) console.log(`  ${shortId} ${place + 1}  ${label}`);
  }
}

async function answer(line) {
  const [shortId, place, ...words] = line.trim().split(/\s+/);
  const asking = shown.get(shortId);
  const option = asking?.options[place - 1];
  if (!option) return console.log('Type the two words before an option, and after them what you want to say');
  const body = { option: option.id, asked: asking.asked, ...(words.length > 0 && { text: words.join(' ') }) };
  // The same words again have the same key: after a lost reply they count once.
  const key = `${asking.id}-${asking.asked}-${Buffer.from(line).toString('base64url').slice(0, 100)}`;
  const told = await drover(`/v1/escalations/${asking.id}/resolve`, body, key);
  console.log(told.isOk ? `Drover has taken "${option.label}"` : `${told.code}: ${told.detail}`);
}

createInterface({ input: process.stdin }).on('line', (line) => void answer(line).catch(console.error));
let { next } = await drover('/v1/events?wait=0'); // the cursor first: what happens while the list is read comes after it
for (;;) {
  try {
    await show();
    const news = await drover(`/v1/events?types=escalation&wait=25${next ? `&after=${next}` : ''}`);
    next = news.next; // absent where the cursor is lost: then it begins at the present
    if (!news.isOk) await new Promise((done) => setTimeout(done, 2000));
  } catch (error) {
    console.log(`Drover cannot be reached (${error.message}): tried again`);
    await new Promise((done) => setTimeout(done, 2000));
  }
}
