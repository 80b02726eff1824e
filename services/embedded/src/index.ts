export { type EmbeddedConfig, embeddedSettings } from './config.ts';
export { type RunningSluice, type StartOptions, startSluice } from './start-sluice.ts';
