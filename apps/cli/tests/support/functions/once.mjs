// Runs the whole life of a function: one request, read as JSON from stdin, and its response, printed as JSON. The only argument is the packed build.
import { json } from 'node:stream/consumers';

const { url, method, headers, body } = await json(process.stdin);
const { openFunctions } = await import(process.argv[2]);

await using requests = await openFunctions();
const hasBody = method !== 'GET' && method !== 'HEAD';
const request = new Request(url, { method, headers, body: hasBody ? Buffer.from(body, 'base64') : null });
const response = await requests.fetch(request);
const answer = Buffer.from(await response.arrayBuffer()).toString('base64');
process.stdout.write(JSON.stringify({ status: response.status, headers: [...response.headers], body: answer }));
