import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ClientDocuments, createClientDocuments } from './client-documents.ts';

let server: Server;
let id: string;
let requests = 0;
let respond: (response: ServerResponse) => void;
let now = 0;
let documents: ClientDocuments;

const body = () => JSON.stringify({ client_id: id, client_name: 'App', redirect_uris: ['http://127.0.0.1/callback'] });
const sendJson = (response: ServerResponse, text: string, headers = {}) =>
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(text);

beforeAll(async () => {
  server = createServer((_request, response) => {
    requests += 1;
    respond(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  id = `http://127.0.0.1:${(server.address() as AddressInfo).port}/client.json`;
});
afterAll(async () => {
  await documents[Symbol.asyncDispose]();
  server.closeAllConnections();
  server.close();
});
beforeEach(async () => {
  await documents?.[Symbol.asyncDispose]();
  requests = 0;
  now = 0;
  respond = (response) => sendJson(response, body());
  documents = createClientDocuments({ privateHosts: ['127.0.0.1:*'], timeoutMs: 500, now: () => now });
});

const rejected = (code: string) => expect.objectContaining({ code });

describe('a document', () => {
  it('is read once for requests at the same time, and then kept for five minutes', async () => {
    const clients = await Promise.all(Array.from({ length: 20 }, () => documents.read(id)));
    expect(new Set(clients.map(({ name }) => name))).toEqual(new Set(['App']));
    now = 299_000;
    await documents.read(id);
    expect(requests).toBe(1);
    now = 301_000;
    await documents.read(id);
    expect(requests).toBe(2);
  });

  it.each([
    ['no-store', 1],
    ['max-age=5', 61_000],
    ['public, max-age=600', 601_000],
    ['max-age=999999999', 3_601_000],
  ])('is kept as its cache-control says, within limits: %s', async (control, untilMs) => {
    respond = (response) => sendJson(response, body(), { 'cache-control': control });
    await documents.read(id);
    now = untilMs;
    await documents.read(id);
    expect(requests).toBe(2);
  });

  it('is read again after an error', async () => {
    respond = (response) => response.writeHead(500).end();
    await expect(documents.read(id)).rejects.toThrow('its host returned 500');
    respond = (response) => sendJson(response, body());
    expect((await documents.read(id)).name).toBe('App');
  });

  it.each<[string, (response: ServerResponse) => void, string]>([
    ['a redirect', (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(), 'returned 302'],
    ['not found', (response) => response.writeHead(404).end('{}'), 'returned 404'],
    ['HTML', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(body()), 'media type'],
    ['no JSON', (response) => sendJson(response, '{'), 'not JSON'],
    ['too many bytes', (response) => sendJson(response, `${body()}${' '.repeat(16 * 1024)}`), 'more than 16384 bytes'],
  ])('is rejected: %s', async (_name, answer, reason) => {
    respond = answer;
    await expect(documents.read(id)).rejects.toThrow(reason);
  });

  it('is unavailable when its host does not answer in time, or sends without end', async () => {
    respond = () => undefined;
    await expect(documents.read(id)).rejects.toEqual(rejected('service_unavailable'));
    respond = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write('x'.repeat(65_536)), 1);
      response.on('close', () => clearInterval(timer));
    };
    await expect(documents.read(id)).rejects.toEqual(rejected('service_unavailable'));
  });

  it('is not requested from a host of a private network that is not listed', async () => {
    await using others = createClientDocuments({ privateHosts: [] });
    const port = new URL(id).port;
    for (const address of [
      id,
      `https://127.0.0.1:${port}/c`,
      `https://localhost:${port}/c`,
      'https://10.0.0.1/c',
      'https://169.254.169.254/c',
    ]) {
      await expect(others.read(address)).rejects.toEqual(rejected('service_unavailable'));
    }
    expect(requests).toBe(0);
  });

  it('waits for its turn: a flood of addresses is rejected', async () => {
    respond = () => undefined;
    const reading = Array.from({ length: 60 }, (_, index) =>
      documents.read(`${id}?${index}`).catch((error) => error.code),
    );
    const codes = await Promise.all(reading);
    expect(codes.filter((code) => code === 'too_many_requests')).toHaveLength(20);
  }, 20_000);
});
