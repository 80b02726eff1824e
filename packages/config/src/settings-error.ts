/** All violations in the settings. The operator reads the message before the process stops. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly violations: readonly string[];

  constructor(violations: readonly string[]) {
    const list = violations.map((violation) => `  - ${violation}`).join('\n');
    super(
      violations.length === 1
        ? `One setting is wrong: ${violations[0]}`
        : `${violations.length} settings are wrong:\n${list}`,
    );
    this.violations = violations;
  }
}
