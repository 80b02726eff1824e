/**
 * What `npm start`, `npm test` and `npm run bench` call first: dependencies installed and sources built, on a machine that
 * has only Node and git. This file is kept to syntax that Node 12 can parse, so that an old Node gets a sentence instead of
 * a stack trace; the work is in install-and-build.mjs, loaded only once the version is known to do.
 */
const NODE_MAJOR_MIN = 20;

function fail(sentence) {
  console.error(sentence);
  process.exitCode = 1;
}

if (Number.parseInt(process.versions.node, 10) < NODE_MAJOR_MIN) {
  fail(
    `Sluice needs Node ${NODE_MAJOR_MIN} or newer; this is ${process.version}. Install a newer Node and run it again.`,
  );
} else {
  import('./install-and-build.mjs').then((steps) => steps.installAndBuild()).catch((error) => fail(error.message));
}
