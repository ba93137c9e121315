import { type HostStats, type Outcome, outcomes, type Stats } from '@wayleave/crawler';
import { bytes, duration, quantity } from '@wayleave/protocols/text';
import { createLogUpdate } from 'log-update';
import { type Colours, coloursFor } from '../../shared/output/colours.ts';
import { writableTo } from '../../shared/output/writable-to.ts';
import type { Terminal } from '../../terminal/command.ts';

/** Shows the progress of a crawl. */
export interface Progress {
	/** A line that stays. */
	note(text: string): void;
	stop(): void;
}

const frameTime = 200;
const plainTime = 10_000;
const hostsShown = 8;

/**
 * A display that redraws itself on a terminal; elsewhere one plain line now and then.
 *
 * @param stats undefined while there is nothing to show
 */
export function startProgress(terminal: Terminal, stats: () => Stats | undefined): Progress {
	return terminal.interactive ? drawn(terminal, stats) : plain(terminal, stats);
}

function plain(terminal: Terminal, stats: () => Stats | undefined): Progress {
	const timer = setInterval(() => {
		const present = stats();
		if (present !== undefined) terminal.note(`${counts(present)}\n`);
	}, plainTime);
	timer.unref();
	return { note: (text) => terminal.note(`${text}\n`), stop: () => clearInterval(timer) };
}

function drawn(terminal: Terminal, stats: () => Stats | undefined): Progress {
	const colours = coloursFor(terminal);
	const size = { columns: terminal.columns, rows: 40, isTTY: true };
	const stream = Object.assign(
		writableTo((text) => terminal.err(text)),
		size,
	);
	const screen = createLogUpdate(stream as unknown as NodeJS.WriteStream, { showCursor: true });
	const draw = () => {
		const present = stats();
		if (present === undefined) screen.clear();
		else screen(frame(present, Date.now(), terminal.columns, colours));
	};
	const timer = setInterval(draw, frameTime);
	timer.unref();
	return {
		note(text) {
			screen.clear();
			terminal.err(`${text}\n`);
			draw();
		},
		stop() {
			clearInterval(timer);
			screen.clear();
			screen.done();
		},
	};
}

/** One picture of a running crawl: a bar, the outcomes, and what each host waits for. `now` is milliseconds since 1970. */
export function frame(stats: Stats, now: number, columns: number, colours: Colours): string {
	const hosts = [...stats.hosts].sort((a, b) => b.inFlight - a.inFlight || b.pending - a.pending);
	const shown = hosts.slice(0, hostsShown);
	const width = Math.max(0, ...shown.map(({ host }) => host.length));
	const lines = [
		`${bar(stats, colours)} ${counts(stats)}`,
		outcomes.map((outcome) => outcomeCount(outcome, stats, colours)).join('  '),
		...shown.map((host) => hostLine(host, width, now)),
	];
	if (hosts.length > hostsShown) lines.push(`  … and ${quantity(hosts.length - hostsShown, 'more host')}`);
	return lines.map((line) => cut(line, columns)).join('\n');
}

function bar(stats: Stats, colours: Colours): string {
	const width = 20;
	const share = stats.done / Math.max(1, stats.done + stats.pending + stats.inFlight);
	const full = Math.floor(share * width);
	return `${colours.green('█'.repeat(full))}${colours.dim('░'.repeat(width - full))} ${String(Math.floor(share * 100)).padStart(3)}%`;
}

function counts(stats: Stats): string {
	return [
		`${quantity(stats.done, 'page')} done, ${stats.pending} waiting`,
		`${stats.pagesPerSecond.toFixed(1)} pages/s`,
		bytes(stats.bytes),
		duration(stats.milliseconds),
	].join(' · ');
}

function outcomeCount(outcome: Outcome, stats: Stats, colours: Colours): string {
	const text = `${outcome} ${stats.outcomes[outcome]}`;
	return stats.outcomes[outcome] === 0 ? colours.dim(text) : text;
}

function hostLine(host: HostStats, width: number, now: number): string {
	return `  ${host.host.padEnd(width)} ${String(host.pending).padStart(6)} waiting  ${hostState(host, now)}`;
}

function hostState(host: HostStats, now: number): string {
	if (host.inFlight > 0) return host.inFlight === 1 ? 'fetching' : `fetching ${host.inFlight}`;
	if (host.waiting === undefined) return host.pending > 0 ? 'next' : 'done';
	const left = Math.max(0, host.waiting.until - now);
	return `${host.waiting.why}, ${duration(left)}`;
}

function cut(line: string, columns: number): string {
	// Colour codes take no room; they only occur in the first two lines, which are short.
	return line.includes('\u001b') || line.length <= columns ? line : `${line.slice(0, columns - 1)}…`;
}
