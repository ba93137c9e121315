import { pathToFileURL } from 'node:url';
import { commands, run } from '../../packages/wayleave/src/index.ts';
import { recordingTerminal } from '../../packages/wayleave/src/testing/recorder.ts';

// A process that runs command lines of `wayleave`, one after the other or side by side, as often as it is asked to:
// the code is loaded once for all of them.

/** What the test asks for. */
export type Request =
	| { readonly kind: 'command'; readonly id: number; readonly cwd: string; readonly argv: readonly string[] }
	| { readonly kind: 'module'; readonly id: number; readonly cwd: string; readonly path: string }
	| { readonly kind: 'interrupt'; readonly id: number };

/** What comes back: text as it is printed, then the exit code. */
export type Reply =
	| { readonly kind: 'ready' }
	| { readonly kind: 'text'; readonly id: number; readonly text: string }
	| { readonly kind: 'end'; readonly id: number; readonly exitCode: number };

const interrupts = new Map<number, Set<() => void>>();
const reply = (message: Reply): void => void process.send?.(message);

process.on('message', (request: Request) => {
	if (request.kind === 'interrupt') {
		for (const listener of interrupts.get(request.id) ?? []) listener();
		return;
	}
	const { id } = request;
	const running = request.kind === 'command' ? runCommand(request) : runModule(request);
	void running
		.catch((error: unknown) => {
			reply({ kind: 'text', id, text: error instanceof Error ? `${error.stack}\n` : `${error}\n` });
			return 1;
		})
		.then((exitCode) => reply({ kind: 'end', id, exitCode }));
});
// The test may end without a word.
process.once('disconnect', () => process.exit());
reply({ kind: 'ready' });

async function runCommand({ id, cwd, argv }: Extract<Request, { kind: 'command' }>): Promise<number> {
	const listeners = new Set<() => void>();
	interrupts.set(id, listeners);
	const print = (text: string) => reply({ kind: 'text', id, text });
	const terminal = {
		...recordingTerminal(cwd),
		out: print,
		outError: print,
		err: print,
		note: print,
		env: process.env,
		onInterrupt(listener: () => void) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
	};
	return run(argv, terminal, commands);
}

/** A TypeScript block is a program: it ends when its last statement has run. */
async function runModule({ id, cwd, path }: Extract<Request, { kind: 'module' }>): Promise<number> {
	process.chdir(cwd);
	const { log, error } = console;
	const print = (...values: unknown[]) => reply({ kind: 'text', id, text: `${values.map(String).join(' ')}\n` });
	Object.assign(console, { log: print, error: print });
	try {
		await import(pathToFileURL(path).href);
		return 0;
	} finally {
		Object.assign(console, { log, error });
	}
}
