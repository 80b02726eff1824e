/** Runs a command of a component's script. Prints the usage for an unknown command, and a failure as one line. */
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
