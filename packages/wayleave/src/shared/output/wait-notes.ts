import type { Progress } from '@wayleave/crawler';
import { isLoopbackName } from '@wayleave/io/dns/loopback';
import { oneLine } from '@wayleave/protocols/text';
import type { Terminal } from '../../terminal/command.ts';

/** From here on a person wonders what happens; milliseconds. */
const longSilence = 1000;

export interface WaitNotes {
	/** Told of each wait as it begins. */
	onProgress(progress: Progress): void;
	stop(): void;
}

/** Says on stderr what a command waits for, once it has waited for a second, and each thing once. */
export function waitNotes(
	terminal: Pick<Terminal, 'note' | 'quiet'>,
	{ json }: { readonly json?: boolean },
): WaitNotes {
	if (json === true || terminal.quiet) return { onProgress() {}, stop() {} };
	const said = new Set<string>();
	let timer: NodeJS.Timeout | undefined;
	return {
		onProgress(progress) {
			clearTimeout(timer);
			const text = describe(progress);
			if (said.has(text)) return;
			timer = setTimeout(() => {
				said.add(text);
				terminal.note(`${oneLine(text)}\n`);
			}, longSilence).unref();
		},
		stop: () => clearTimeout(timer),
	};
}

function describe(progress: Progress): string {
	const { host } = progress;
	if (progress.waiting === 'response') return `waiting for a response from ${host}`;
	const { why, delay, left } = progress;
	const between = `waiting ${seconds(delay)} between requests to ${host}`;
	switch (why) {
		case 'cooldown':
			return isLoopbackName(host) ? `${between} (--delay 0 on your own machine)` : between;
		case 'crawl-delay':
			return `${between}, as its robots.txt asks (Crawl-delay)`;
		case 'rate':
			return `${between}, as its robots2.txt asks (rate)`;
		case 'backoff':
			return `waiting ${seconds(left)} before ${host} is tried again`;
		default:
			return `waiting ${seconds(left)}: ${host} asked for a pause`;
	}
}

const seconds = (milliseconds: number): string => `${Number((milliseconds / 1000).toFixed(1))} s`;
