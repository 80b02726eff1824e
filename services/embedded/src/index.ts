export { embeddedSettings } from './config.ts';
