export { describeSettings } from './describe-settings.ts';
export { boolean, bytes, choice, duration, integer, list, secret, secretUrl, share, string, url } from './parsers.ts';
export { type Environment, readSettings } from './read-settings.ts';
export { Secret } from './secret.ts';
export type { Setting, SettingsOf, SettingsTable } from './setting.ts';
export { SettingsError } from './settings-error.ts';
