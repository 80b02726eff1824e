import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { reservePort } from './reserve-port.ts';

/** Not within the range of other tests. */
const FEW = { first: 31_000, count: 3 };

it('returns each port once, none that is in use, and fails when all are reserved', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(FEW.first + 1, '127.0.0.1', resolve));
  try {
    const ports = [await reservePort(FEW), await reservePort(FEW)];
    expect(ports.sort((a, b) => a - b)).toEqual([FEW.first, FEW.first + 2]);
    await expect(reservePort(FEW)).rejects.toThrow('All ports from 31000 to 31002 are in use.');
  } finally {
    taken.close();
  }
});

it('returns a port that its caller can listen at', async () => {
  const server = createServer();
  const port = await reservePort();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  server.close();
});

it('keeps a port from other processes of tests', async () => {
  const port = await reservePort();
  const program = `
    const server = require('node:net').createServer();
    server.once('error', ({ code }) => console.log(code));
    server.listen('\\0sluice-test-port-${port}', () => { console.log('free'); server.close(); });`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', program]);
  expect(stdout.trim()).toBe(process.platform === 'linux' ? 'EADDRINUSE' : expect.any(String));
});
