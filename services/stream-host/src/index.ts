export { streamHostSettings } from './config.ts';
export { type StreamHost, startStreamHost } from './start-stream-host.ts';
