// Writes src/operations/{stream,api}-operation-table.ts and answer-shapes.ts from the contract. `npm run docs:generate` runs it; the types
// of src/operations/operations.ts fail to compile while an operation is missing.
import { writeFile } from 'node:fs/promises';
import { apiOperations, operatorOperations, streamOperations } from '../contract/dist/index.js';

/** Operations without a lasting effect although their method allows one: they search, or only record that they were called. */
const SAFE = new Set([
  'searchDatamaps',
  'searchAuditLogs',
  'nextAuditPage',
  'listAuditCheckpoints',
  'summarizeAuditLogs',
  'getDatamap',
]);

function returned({ responses, streams }) {
  const statuses = Object.entries(responses).filter(([status]) => status < 400);
  if (statuses.some(([status]) => status >= 300 && status !== '304')) return 'redirect';
  if (streams || statuses.some(([, { mediaType }]) => mediaType === 'text/html' || mediaType === 'text/event-stream'))
    return 'response';
  return statuses.some(([, { mediaType }]) => mediaType !== undefined) ? 'json' : 'none';
}

function repeatability(operation) {
  if (operation.isLink) return 'statement';
  if (SAFE.has(operation.id) || (operation.method === 'GET' && operation.hasEffect !== true)) return 'safe';
  return operation.method === 'POST' && (operation.streams || operation.id === 'streamQuery') ? 'statement' : 'change';
}

const line = (operation) => {
  const access = operation.credentials.length > 0 || operation.operatorOnly === true ? 'token' : 'anonymous';
  const { method, path, body } = operation;
  const cells = [method, path, access, returned(operation), repeatability(operation)];
  if (body?.mediaTypes[0] === 'application/x-www-form-urlencoded') cells.push('form');
  return `  ${operation.id}: [${cells.map((cell) => `'${cell}'`).join(', ')}],`;
};

async function write(host, title, operations) {
  const lines = Object.values(operations).map(line).join('\n');
  const text = `// Written by \`npm run docs:generate\` from packages/contract.

/** Operations of the ${title}: method, path, access, what they return, what a repetition could do, and whether the body is a form. */
export const ${host}OperationTable = {
${lines}
} as const;
`;
  await writeFile(new URL(`src/operations/${host}-operation-table.ts`, import.meta.url), text);
}

await write('stream', 'stream host', streamOperations);
await write('api', 'API host', { ...apiOperations, ...operatorOperations });

/** Objects of several answers, by the text of their shape. */
const shared = new Map();

/** Returns the shape of a schema as src/operations/check-answer.ts reads it, with whether it may be absent or null. */
function shapeOf(schema) {
  const { type, innerType, element, shape, options, out, values } = schema._zod.def;
  if (type === 'optional') return { ...shapeOf(innerType), isOptional: true };
  if (type === 'nullable') return { ...shapeOf(innerType), isNullable: true };
  if (type === 'default' || type === 'readonly') return shapeOf(innerType);
  if (type === 'pipe') return shapeOf(out);
  if (type === 'null') return { text: "'any'", isNullable: true };
  if (type === 'array') return { text: `[${listedShape(element)}]` };
  if (type === 'object') return { text: objectShape(shape) };
  if (type === 'record') return { text: "'object'" };
  if (type === 'union') return unionShape(options.map(shapeOf));
  if (type === 'enum') return { text: "'string'" };
  if (type === 'literal') return { text: `'${typeof values[0]}'` };
  return { text: ['string', 'number', 'boolean'].includes(type) ? `'${type}'` : "'any'" };
}

/** A list may have any elements if one of them may be null. */
function listedShape(element) {
  const { text, isNullable } = shapeOf(element);
  return isNullable ? "'any'" : text;
}

function objectShape(shape) {
  const members = Object.entries(shape).map(([name, member]) => {
    const { text: found, isOptional, isNullable } = shapeOf(member);
    const text = found === "'string'" && name.endsWith('_token') ? "'token'" : found;
    // An unknown value may be anything, also null.
    const mayBeNull = isNullable || text === "'any'";
    const key = `${name}${isOptional ? '?' : ''}${mayBeNull ? '|null' : ''}`;
    return `${/^\w+$/.test(key) ? key : `'${key}'`}: ${text}`;
  });
  const text = `{ ${members.join(', ')} }`;
  if (!shared.has(text)) shared.set(text, `SHAPE_${shared.size}`);
  return shared.get(text);
}

function unionShape(shapes) {
  const texts = new Set(shapes.map(({ text }) => text));
  const isNullable = shapes.some((each) => each.isNullable);
  if (texts.size === 1) return { text: shapes[0].text, isNullable };
  return { text: shapes.every(({ text }) => text.startsWith('SHAPE_')) ? "'object'" : "'any'", isNullable };
}

async function writeShapes(operations) {
  const lines = Object.values(operations)
    .filter((operation) => returned(operation) === 'json')
    .map(({ id, responses }) => {
      const [schema] = [200, 201, 202].map((status) => responses[status]?.schema).filter((each) => each !== undefined);
      if (schema === undefined) throw new Error(`${id} returns JSON without a schema.`);
      return `  '${id}${204 in responses ? '?' : ''}': ${shapeOf(schema).text},`;
    });
  const constants = [...shared].map(([text, name]) => `const ${name} = ${text} as const;`);
  const text = `// Written by \`npm run docs:generate\` from packages/contract.

${constants.join('\n')}

/** Shapes of the answers of the operations that return JSON. The name of one that may return nothing ends with \`?\`. */
export const ANSWER_SHAPES = {
${lines.join('\n')}
} as const;
`;
  await writeFile(new URL('src/operations/answer-shapes.ts', import.meta.url), text);
}

await writeShapes({ ...streamOperations, ...apiOperations, ...operatorOperations });
