/** Does what a component's script was called for; without a command it says which there are, and a failure is one line. */
export async function runCommand({ name, command, usage }) {
  if (command === undefined) {
    process.stdout.write(`${name}: ${usage}\n`);
    process.exitCode = 2;
    return;
  }
  try {
    await command();
  } catch (error) {
    process.stderr.write(`${name}: ${error.message}\n`);
    process.exitCode = 1;
  }
}
