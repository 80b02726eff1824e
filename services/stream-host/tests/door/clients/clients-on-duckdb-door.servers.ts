import { afterAll, beforeAll } from '@jest/globals';
import { describeClients } from './describe-clients.ts';
import { type Door, startDoor } from './start-door.ts';

let door: Door;
beforeAll(async () => {
  door = await startDoor('duckdb');
}, 180_000);
afterAll(async () => await door?.[Symbol.asyncDispose]());

describeClients('door-on-duckdb', () => door.target);
