import {
  type Program,
  type ProgramAccess,
  quoteJson,
  quoteShell,
  quoteValue,
  writeCurl,
  writePythonRequest,
  writeSdkClient,
} from './program.ts';

/** A value of a parameter with its type, as `POST /query` takes it. */
interface SnippetParameter {
  readonly type: string;
  readonly value: string | readonly string[] | null;
}

/** A statement, and what a program needs to run it. */
export interface SnippetInput extends ProgramAccess {
  readonly sql: string;
  readonly parameters: Readonly<Record<string, SnippetParameter>>;
  /** Name of the file that curl writes, without its ending. */
  readonly name: string;
}

const FILE_CHARACTERS_MAX = 80;

/** Returns a name that every file system takes. */
const fileName = (name: string): string =>
  name
    .replace(/[^\p{L}\p{N}_-]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, FILE_CHARACTERS_MAX) || 'result';

const parameterJson = (parameters: SnippetInput['parameters'], nothing = 'null'): string =>
  Object.entries(parameters)
    .map(
      ([name, { type, value }]) =>
        `${quoteJson(name)}: {"type": ${quoteJson(type)}, "value": ${value === null ? nothing : quoteValue(value)}}`,
    )
    .join(', ');

/** Writes the body of a request, in JSON or as Python writes it. */
function bodyText({ sql, parameters }: SnippetInput, nothing?: 'None'): string {
  const values = parameterJson(parameters, nothing);
  return values === '' ? `{"sql": ${quoteJson(sql)}}` : `{"sql": ${quoteJson(sql)}, "parameters": {${values}}}`;
}

const writers: Readonly<Record<Program, (input: SnippetInput) => string>> = {
  curl: (input) =>
    writeCurl(input, [
      `-H 'content-type: application/json'`,
      `-o ${quoteShell(`${fileName(input.name)}.csv`)}`,
      `-d ${quoteShell(bodyText(input))}`,
      quoteShell(`${input.streamUrl}/query/download/csv`),
    ]),
  // The command line has its own login, and exits with 3 if rows are missing. NULL has no type there.
  cli: ({ sql, parameters }) => {
    const values = Object.entries(parameters).map(([name, { type, value }]) =>
      value === null ? `${name}=null` : `${name}:${type}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    );
    const options = values.map((value) => ` \\\n  --param ${quoteShell(value)}`).join('');
    return `sluice query ${quoteShell(sql)}${options}\n`;
  },
  python: (input) => `import base64, decimal, getpass, json, os, urllib.request

body = ${bodyText(input, 'None')}
${writePythonRequest(input, `${input.streamUrl}/query/download/json`, 'json.dumps(body).encode()')}
with urllib.request.urlopen(request) as response:
    result = json.load(response, parse_float=decimal.Decimal)
if "error" in result:
    raise SystemExit(result["error"])  # the rows are not complete
for row in result["data"]:
    print(row)
`,
  sdk: (input) => `import { createClient } from '@sluice/client';

${writeSdkClient(input)}
const query = client.query(${quoteJson(input.sql)}${
    Object.keys(input.parameters).length === 0 ? '' : `, { parameters: { ${parameterJson(input.parameters)} } }`
  });
for await (const row of query) console.log(row);
console.log(query.summary); // the loop throws if rows are missing
`,
};

/** Writes a program that runs a statement and notices a result that is not complete. */
export const writeSnippet = (program: Program, input: SnippetInput): string => writers[program](input);
