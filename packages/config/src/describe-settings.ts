import type { SettingsTable } from './setting.ts';

interface SettingDescription {
  readonly name: string;
  readonly form: string;
  /** Text as in the environment, or the description of a computed default. Without a default: `required` or `none`. */
  readonly default: string;
  readonly description: string;
}

/** Describes a settings table for docs/configuration.md, in the order of the table. */
export function describeSettings(table: SettingsTable): readonly SettingDescription[] {
  return Object.values(table).map((setting) => ({
    name: setting.isSecret ? `${setting.name} or ${setting.name}_FILE` : setting.name,
    form: setting.form,
    default: setting.defaultMeaning ?? setting.default ?? (setting.isOptional ? 'none' : 'required'),
    description:
      setting.renamedFrom === undefined
        ? setting.description
        : `${setting.description} Formerly \`${setting.renamedFrom}\`, which is still accepted.`,
  }));
}
