export { describeSettings, type SettingDescription } from './describe-settings.ts';
export { boolean, bytes, choice, duration, integer, list, secret, secretUrl, string, url } from './parsers.ts';
export { type Environment, readSettings, type SettingsRead } from './read-settings.ts';
export { Secret } from './secret.ts';
export type { Presence, Setting, SettingsOf, SettingsTable } from './setting.ts';
export { SettingsError } from './settings-error.ts';
