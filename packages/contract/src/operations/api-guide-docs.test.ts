import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { operatorOperations } from '../administration/operator.ts';
import { apiOperations } from './api-operations.ts';
import type { Operation } from './operation.ts';
import { streamOperations } from './stream-operations.ts';

const PAGE = readFileSync(new URL('../../../../docs/api-guide.md', import.meta.url), 'utf8');
/** Commands that the docs runner runs, each with the answer that it compares. */
const EXAMPLE =
  /(?<!<!-- not run: [^\n]* -->\n\n?)^```sh\n(?<commands>[\s\S]*?)^```\n\n```(?:text|json)\n(?<answer>[\s\S]*?)^```$/gm;
const REQUEST =
  /\bcurl (?:-\w+ )*?(?:-X (?<method>[A-Z]+) )?"\$(?<host>API|STREAM)(?<path>\/[^"?]*)[^"]*"(?<rest>(?:(?!\bcurl )[\s\S])*)/g;

interface Request {
  readonly host: string;
  readonly method: string;
  readonly path: string;
}

const requestsOf = (commands: string): Request[] =>
  [...commands.replaceAll(/\$\([^()]*\)/g, 'x').matchAll(REQUEST)].map(({ groups = {} }) => ({
    host: groups['host'] ?? '',
    method: groups['method'] ?? (/ (?:-d|--data-binary) /.test(groups['rest'] ?? '') ? 'POST' : 'GET'),
    path: groups['path'] ?? '',
  }));

const isOf = ({ method, path }: Operation, request: Request): boolean =>
  method === request.method &&
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(request.path);

const EXAMPLES = [...PAGE.matchAll(EXAMPLE)].map(({ groups = {} }) => ({
  requests: requestsOf(groups['commands'] ?? ''),
  answer: (groups['answer'] ?? '').trim(),
}));
const ANSWERED = EXAMPLES.filter(({ answer }) => answer !== '').flatMap(({ requests }) => requests);

const parametersOf = ({ path }: Operation): number => path.split('{').length;

/** Returns the operation of a request. A path without parameters is more specific: `/query/history` is not an id. */
const operationOf = (operations: readonly Operation[], request: Request): Operation | undefined =>
  operations.filter((each) => isOf(each, request)).sort((a, b) => parametersOf(a) - parametersOf(b))[0];

describe.each([
  ['API', [...Object.values(apiOperations), ...Object.values(operatorOperations)]],
  ['STREAM', Object.values(streamOperations)],
] as const)('docs/api-guide.md, host %s', (host, operations: readonly Operation[]) => {
  const requests = ANSWERED.filter((request) => request.host === host);

  it('has one request and its answer for every operation', () => {
    const shown = new Set(requests.map((request) => operationOf(operations, request)));
    const missing = operations
      .filter((operation) => !shown.has(operation))
      .map(({ method, path }) => `${method} ${path}`);
    expect(missing).toEqual([]);
    expect(operations.length).toBeGreaterThan(30);
  });

  it('shows no request that is not an operation', () => {
    const unknown = requests.filter((request) => operationOf(operations, request) === undefined);
    expect(unknown).toEqual([]);
  });
});
