export { streamHostSettings } from './config.ts';
export { type StreamHost, type StreamHostOptions, startStreamHost } from './start-stream-host.ts';
