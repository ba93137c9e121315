// Writes lines to a stream of the terminal, a millisecond apart. Arguments: `out` or `err`, and how many.
import { processTerminal } from '../terminal/process-terminal.ts';

const [, , stream, lines] = process.argv;
const terminal = processTerminal();
for (let line = 0; line < Number(lines); line++) {
	terminal[stream === 'err' ? 'err' : 'out'](`${'x'.repeat(1000)}\n`);
	await new Promise((resolve) => setTimeout(resolve, 1));
}
process.exitCode = 7;
