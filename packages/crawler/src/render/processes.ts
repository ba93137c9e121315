import { readFileSync } from 'node:fs';
import { platform } from 'node:process';
import type { Browser } from 'playwright-core';

/** Milliseconds between two looks at the memory of pages. */
const lookEvery = 250;

/** The processes of a browser. */
export interface Processes {
	/** Ends them all at once. */
	kill(): Promise<void>;
}

/**
 * Ends the process of any page that uses more memory than it may. Where the system does not tell what a process uses,
 * V8 has a limit of its own.
 *
 * @param most MiB
 */
export async function watchProcesses(browser: Browser, most: number): Promise<Processes> {
	const session = await browser.newBrowserCDPSession();
	const list = async () => (await session.send('SystemInfo.getProcessInfo')).processInfo;
	const main = (await list()).find(({ type }) => type === 'browser')?.id;
	let timer: NodeJS.Timeout | undefined;
	const ended = new Promise<void>((resolve) => {
		browser.once('disconnected', () => {
			clearTimeout(timer);
			resolve();
		});
	});
	const look = async () => {
		for (const { id, type } of await list()) if (type === 'renderer' && residentMiB(id) > most) end(id);
	};
	const next = () => {
		timer = setTimeout(
			() =>
				void look()
					.catch(() => {})
					.finally(() => browser.isConnected() && next()),
			lookEvery,
		);
		timer.unref();
	};
	if (platform === 'linux') next();
	return {
		async kill() {
			if (main !== undefined) end(main);
			await ended;
		},
	};
}

function end(id: number): void {
	try {
		process.kill(id, 'SIGKILL');
	} catch {
		// It has ended by itself.
	}
}

function residentMiB(id: number): number {
	const line = /^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'));
	return Number(line?.[1] ?? 0) / 1024;
}
