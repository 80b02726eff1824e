import { expect, it } from '@jest/globals';
import { ResponseError } from '@sluice/client';
import { reportError } from './report-error.ts';

async function reported(message: string, details: readonly { readonly path: string; readonly message: string }[]) {
  const written: string[] = [];
  const write = async (text: string | Uint8Array) => void written.push(String(text));
  const error = new ResponseError('invalid_request', message, { status: 400, details });
  await reportError({ isTerminal: true, isFile: false, hasColor: false, columns: 80, rows: 24, write }, error);
  return written.join('');
}

it('says how to give a parameter that is missing', async () => {
  const details = [
    { path: 'body.parameters.airport', message: 'is missing: the SQL names $airport at line 1, column 8' },
  ];
  const message = `The request is not valid: body.parameters.airport: ${details[0]?.message}.`;
  expect(await reported(message, details)).toBe(`error: ${message}\n  Run the command with --param airport=VALUE.\n`);
});

it('lists the mistakes that the message does not name', async () => {
  const [first, second] = [
    { path: 'body.name', message: 'is missing' },
    { path: 'body.size', message: 'must be a number' },
  ];
  const message = 'The request is not valid: body.name: is missing.';
  expect(await reported(message, [first])).toBe(`error: ${message}\n`);
  expect(await reported(message, [first, second])).toBe(`error: ${message}\n  body.size: must be a number\n`);
});
