export { type EmbeddedConfig, embeddedSettings } from './config.ts';
export { type RunningSluice, type StartOrder, startSluice } from './start-sluice.ts';
