// Serves AWS Lambda: the handler is `lambda.handler`. `npm run build:functions` made what it imports.
export { handler } from '../../apps/cli/dist/lambda.js';
