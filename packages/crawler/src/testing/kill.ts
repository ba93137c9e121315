import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type GeneratedSite, startSite } from '../../../../bench/site.ts';
import { sourceProgram } from '../../../../scripts/source-program.ts';
import type { Tally } from '../store/roles/tally.ts';
import { openStore } from '../store/sql/open.ts';

const script = fileURLToPath(new URL('crawl-child.ts', import.meta.url));

export interface Survived {
	/** URLs in the file, in order. */
	readonly lines: readonly string[];
	readonly tally: Tally;
	readonly site: Pick<GeneratedSite, 'requests' | 'origin' | 'url'>;
	/** Requests for pages that the site had seen at each kill. */
	readonly killedAt: readonly number[];
	/** Lines of the last child. */
	readonly output: readonly string[];
	/** The archive, where there is one. */
	readonly archive: Buffer;
}

/**
 * Crawls a generated site in a process that is killed (SIGKILL) at random moments, each time resumes it with the same
 * command, and at last lets it end.
 *
 * @param onKill lets an archive be written too, and is given it as each kill leaves it
 */
export async function crawlAndKill(
	pages: number,
	kills: number,
	random: () => number,
	reader: 'simple' | 'full',
	onKill?: (archive: Buffer) => Promise<void>,
): Promise<Survived> {
	const folder = mkdtempSync(join(tmpdir(), 'wayleave-kill-'));
	const site = await startSite({ pages });
	const [store, out] = [`sqlite:${join(folder, 'crawl.db')}`, join(folder, 'out.jsonl')];
	const warc = onKill === undefined ? [] : [join(folder, 'out.warc.gz')];
	const archive = () => Buffer.concat(warc.filter((file) => existsSync(file)).map((file) => readFileSync(file)));
	let seen = 0;
	const killedAt: number[] = [];
	try {
		for (let kill = 0; kill < kills; kill++) {
			// Somewhere in the part of the site that is left, counted by requests, so that a slow machine is no other test.
			const after = seen + 1 + Math.floor(random() * ((pages - seen) / (kills - kill)));
			const child = start(site.origin, store, out, reader, ...warc);
			await new Promise<void>((resolve) => {
				site.onRequest = () => {
					seen++;
					if (seen >= after) resolve();
				};
				child.once('exit', () => resolve());
			});
			child.kill('SIGKILL');
			if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
			killedAt.push(seen);
			await onKill?.(archive());
		}
		const child = start(site.origin, store, out, reader, ...warc);
		const output: string[] = [];
		child.stdout.on('data', (text) => output.push(...String(text).trim().split('\n')));
		const errors: string[] = [];
		child.stderr.on('data', (text) => errors.push(String(text)));
		const [code] = await once(child, 'close');
		if (code !== 0) throw new Error(`the crawl ended with ${code}: ${errors.join('')}`);
		const lines = readFileSync(out, 'utf8')
			.trimEnd()
			.split('\n')
			.map((line) => JSON.parse(line).url as string);
		const opened = await openStore(store);
		const tally = await opened.frontier.tally();
		await opened.close();
		return { lines, tally, site, killedAt, output, archive: archive() };
	} finally {
		await site.close();
		rmSync(folder, { recursive: true, force: true });
	}
}

function start(origin: string, ...more: string[]) {
	return spawn(process.execPath, ['--expose-gc', sourceProgram(script), `${origin}/`, ...more], {
		stdio: ['ignore', 'pipe', 'pipe'],
	});
}
