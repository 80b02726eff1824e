import { afterAll, beforeAll } from '@jest/globals';
import { superset } from './client-programs.ts';
import { describeClients } from './describe-clients.ts';
import { type Door, startDoor } from './start-door.ts';
import { TRINO_TARGET } from './trino-target.ts';

let onTrino: Door;
let onDuckDb: Door;
beforeAll(async () => {
  // It makes the tables that Trino itself is asked for too.
  onTrino = await startDoor('trino');
  onDuckDb = await startDoor('duckdb');
}, 360_000);
afterAll(async () => {
  await onDuckDb?.[Symbol.asyncDispose]();
  await onTrino?.[Symbol.asyncDispose]();
});

describeClients('trino', () => TRINO_TARGET, [superset]);
describeClients('door-on-trino', () => onTrino.target, [superset]);
describeClients('door-on-duckdb', () => onDuckDb.target, [superset]);
