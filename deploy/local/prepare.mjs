/**
 * What `npm start`, `npm test` and `npm run bench` call first: dependencies installed and sources built, on a machine that
 * has only Node and git. This file is kept to syntax that Node 12 can parse, so that an old Node gets a sentence instead of
 * a stack trace; the work is in install-and-build.mjs, loaded only once the version is known to do.
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
