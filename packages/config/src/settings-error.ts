/** All mistakes in the settings. The operator reads the message before the process stops. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly mistakes: readonly string[];

  constructor(mistakes: readonly string[]) {
    const list = mistakes.map((mistake) => `  - ${mistake}`).join('\n');
    super(
      mistakes.length === 1
        ? `One setting is wrong: ${mistakes[0]}`
        : `${mistakes.length} settings are wrong:\n${list}`,
    );
    this.mistakes = mistakes;
  }
}
