/**
 * Installs the dependencies and builds the sources, on a machine with only Node.js and git. `npm start`, `npm test` and
 * `npm run bench` call it first. This file uses only syntax that Node.js 12 can parse, so that an old version gets a message instead
 * of a stack trace. install-and-build.mjs does the work and is loaded only when the version is new enough.
 */
const NODE_MIN = [20, 19];

function fail(sentence) {
  console.error(sentence);
  process.exitCode = 1;
}

const [major, minor] = process.versions.node.split('.').map(Number);

if (major < NODE_MIN[0] || (major === NODE_MIN[0] && minor < NODE_MIN[1])) {
  fail(
    `Sluice needs Node ${NODE_MIN.join('.')} or newer; this is ${process.version}. Install Node 24 and run it again.`,
  );
} else {
  import('./install-and-build.mjs').then((steps) => steps.installAndBuild()).catch((error) => fail(error.message));
}
