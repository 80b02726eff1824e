import type { SettingsTable } from './setting.ts';

export interface SettingDescription {
  readonly name: string;
  readonly form: string;
  /** As written in the environment; its meaning where it is computed, `required` or `none` where there is no default. */
  readonly default: string;
  readonly description: string;
}

/** A table of settings as docs/configuration.md shows it, in the order of the table. */
export function describeSettings(table: SettingsTable): readonly SettingDescription[] {
  return Object.values(table).map((setting) => ({
    name: setting.isSecret ? `${setting.name} or ${setting.name}_FILE` : setting.name,
    form: setting.form,
    default: setting.defaultMeaning ?? setting.default ?? (setting.isOptional ? 'none' : 'required'),
    description: setting.description,
  }));
}
