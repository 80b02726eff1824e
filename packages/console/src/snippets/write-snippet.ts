import { quoteJson, quoteShell } from './quote-text.ts';

/** A value of a parameter with its type, as `POST /query` takes it. */
interface SnippetParameter {
  readonly type: string;
  readonly value: string | null;
}

/** A statement with the addresses and the account that a program needs to run it. */
export interface SnippetInput {
  readonly sql: string;
  readonly parameters: Readonly<Record<string, SnippetParameter>>;
  /** Name of the file that curl writes, without its ending. */
  readonly name: string;
  readonly tenant: string;
  readonly apiUrl: string;
  readonly streamUrl: string;
  /** E-mail of the user. The password is never part of a snippet. */
  readonly user: string;
}

/** Programs that a statement can be copied for. */
export const SNIPPET_KINDS = ['curl', 'cli', 'python', 'sdk'] as const;
export type SnippetKind = (typeof SNIPPET_KINDS)[number];

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
        `${quoteJson(name)}: {"type": ${quoteJson(type)}, "value": ${value === null ? nothing : quoteJson(value)}}`,
    )
    .join(', ');

/** Writes the body of a request, in JSON or as Python writes it. */
function bodyText({ sql, parameters }: SnippetInput, nothing?: 'None'): string {
  const values = parameterJson(parameters, nothing);
  return values === '' ? `{"sql": ${quoteJson(sql)}}` : `{"sql": ${quoteJson(sql)}, "parameters": {${values}}}`;
}

const writers: Readonly<Record<SnippetKind, (input: SnippetInput) => string>> = {
  // curl asks for the password. It fails if the file is cut.
  curl: (input) => `curl -sS --fail-with-body -u ${quoteShell(input.user)} -H 'content-type: application/json' \\
  -o ${quoteShell(`${fileName(input.name)}.csv`)} \\
  -d ${quoteShell(bodyText(input))} \\
  ${quoteShell(`${input.streamUrl}/query/download/csv`)}
`,
  // The command line has its own login, and exits with 3 if rows are missing. NULL has no type there.
  cli: ({ sql, parameters }) => {
    const values = Object.entries(parameters).map(([name, { type, value }]) =>
      value === null ? `${name}=null` : `${name}:${type}=${value}`,
    );
    const options = values.map((value) => ` \\\n  --param ${quoteShell(value)}`).join('');
    return `sluice query ${quoteShell(sql)}${options}\n`;
  },
  python: (input) => `import base64, decimal, getpass, json, urllib.request

user = ${quoteJson(input.user)}
credential = base64.b64encode(f"{user}:{getpass.getpass()}".encode()).decode()
body = ${bodyText(input, 'None')}
request = urllib.request.Request(
    ${quoteJson(`${input.streamUrl}/query/download/json`)},
    data=json.dumps(body).encode(),
    headers={"authorization": "Basic " + credential, "content-type": "application/json"},
)
with urllib.request.urlopen(request) as response:
    result = json.load(response, parse_float=decimal.Decimal)
if "error" in result:
    raise SystemExit(result["error"])  # the rows are not complete
for row in result["data"]:
    print(row)
`,
  sdk: (input) => `import { createClient } from '@sluice/client';

const client = createClient({
  tenant: ${quoteJson(input.tenant)},
  apiUrl: ${quoteJson(input.apiUrl)},
  streamUrl: ${quoteJson(input.streamUrl)},
  auth: { email: ${quoteJson(input.user)}, password: process.env.SLUICE_PASSWORD },
});
const query = client.query(${quoteJson(input.sql)}${
    Object.keys(input.parameters).length === 0 ? '' : `, { parameters: { ${parameterJson(input.parameters)} } }`
  });
for await (const row of query) console.log(row);
console.log(query.summary); // the loop throws if rows are missing
`,
};

/** Writes a program that runs a statement and notices a result that is not complete. */
export const writeSnippet = (kind: SnippetKind, input: SnippetInput): string => writers[kind](input);
