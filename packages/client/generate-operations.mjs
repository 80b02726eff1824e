// Writes src/operations/{stream,api}-operation-table.ts from the contract. `npm run docs:generate` runs it; the types of
// src/operations/operations.ts fail to compile while an operation is missing.
import { writeFile } from 'node:fs/promises';
import { apiOperations, operatorOperations, streamOperations } from '../contract/dist/index.js';

/** Operations without a lasting effect although their method allows one: they search, or only record that they were called. */
const SAFE = new Set(['searchDatamaps', 'searchAuditLogs', 'nextAuditPage', 'listAuditCheckpoints', 'getDatamap']);

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
