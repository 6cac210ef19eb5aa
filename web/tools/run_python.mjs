// Runs `python ARGUMENTS` with the first Python >= 3.11 found under one of its usual names.
// npm's scripts use this, since the name differs: python3 on Linux and macOS, py or python on Windows.

import { spawn, spawnSync } from "node:child_process";

/** Name and leading arguments, in the order in which they are tried. */
const CANDIDATES = [["python3"], ["python"], ["py", "-3"]];
const CHECK = "import sys; sys.exit(sys.version_info < (3, 11))";

const found = CANDIDATES.find(([name, ...leading]) => {
  const answer = spawnSync(name, [...leading, "-c", CHECK], { stdio: "ignore" });
  return answer.status === 0;
});

if (found === undefined) {
  const names = CANDIDATES.map((candidate) => candidate.join(" ")).join(", ");
  console.error(`No Python 3.11 or newer was found (tried ${names}): install one and put it on the PATH.`);
  process.exit(1);
}

const [name, ...leading] = found;
const child = spawn(name, [...leading, ...process.argv.slice(2)], { stdio: "inherit" });

// Ctrl-C reaches the child as well; it ends by itself, and we end with it.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => child.kill("SIGTERM"));
child.on("exit", (code) => process.exit(code ?? 1));
