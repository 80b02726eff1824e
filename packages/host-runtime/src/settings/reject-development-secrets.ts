import { Secret, SettingsError, type SettingsOf, type SettingsTable } from '@sluice/config';
import { isLoopbackName } from '../requests/allowed-origins.ts';

/** Matches the published secrets of docker-compose.yml, and no random secret. */
const DEVELOPMENT = /^(sluice-)?development-/;

const passwordOf = (text: string): string => (URL.canParse(text) ? decodeURIComponent(new URL(text).password) : text);

const isForDevelopment = (secret: Secret): boolean => {
  const text = passwordOf(secret.reveal());
  return [text, Buffer.from(text, 'base64').toString()].some((each) => DEVELOPMENT.test(each));
};

/** Throws a SettingsError that names all development secrets, if `address` is reachable from other machines. */
export function rejectDevelopmentSecrets<T extends SettingsTable>(
  table: T,
  settings: SettingsOf<T>,
  address: string,
): void {
  if (isLoopbackName(address)) return;
  const violations = Object.entries(table).flatMap(([key, { name }]) => {
    const value: unknown = settings[key as keyof T];
    return value instanceof Secret && isForDevelopment(value)
      ? [`${name} is a published development secret, but other machines can reach Sluice at ${address}`]
      : [];
  });
  if (violations.length > 0) throw new SettingsError(violations);
}
