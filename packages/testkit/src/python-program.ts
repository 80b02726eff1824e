import { LineProgram } from './line-program.ts';

/** Calls `handle` with each line of stdin, which is JSON, and prints a line for each. */
const LOOP = `
import json, sys
print("{}", flush=True)
for line in sys.stdin:
    try:
        reply = {"result": handle(json.loads(line))}
    except Exception as error:
        reply = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(reply), flush=True)
`;

/**
 * A Python program in one process for many calls, because a start with its libraries takes up to a second of processor time. A call
 * rejects with the type and message of what `handle` raises.
 */
export class PythonProgram extends LineProgram {
  /**
   * @param python - path of the interpreter
   * @param source - defines `handle`, whose argument and result are JSON
   */
  constructor(python: string, source: string) {
    super(python, ['-c', `${source}${LOOP}`]);
  }
}
