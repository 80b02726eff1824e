/** All mistakes in the settings. The operator reads the message before the process stops. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly mistakes: readonly string[];

  constructor(mistakes: readonly string[]) {
    const count = mistakes.length === 1 ? 'One setting is wrong' : `${mistakes.length} settings are wrong`;
    super(`${count}:\n${mistakes.map((mistake) => `  - ${mistake}`).join('\n')}`);
    this.mistakes = mistakes;
  }
}
