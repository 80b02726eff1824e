import { afterAll, beforeAll } from '@jest/globals';
import { type CuttingProxy, startCuttingProxy } from '@sluice/testkit';
import { describeFaults } from './describe-faults.ts';
import { type Door, startDoor } from './start-door.ts';

let door: Door;
let proxy: CuttingProxy;
beforeAll(async () => {
  door = await startDoor('duckdb', {
    between: async (url) => {
      proxy = await startCuttingProxy(url);
      return proxy.url;
    },
  });
}, 180_000);
afterAll(async () => {
  await door?.[Symbol.asyncDispose]();
  await proxy?.[Symbol.asyncDispose]();
});

describeFaults('door-on-duckdb', () => ({ proxy, target: door.target }));
