import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { middle } from '../measure.ts';
import { hasScrapy } from './contest.ts';
import { childSeconds } from './threads.ts';

const runs = 5;
const wayleave = fileURLToPath(new URL('../../packages/wayleave/bin/wayleave.js', import.meta.url));

/** Seconds of processor time that single commands take, beside those of Scrapy and an empty program; medians, in turn. */
export function coldStarts(origin: string): Map<string, number> {
	const commands: Record<string, readonly [string, ...string[]]> = {
		'an empty program of Node': [process.execPath, '-e', '0'],
		'`wayleave --version`': [process.execPath, wayleave, '--version'],
		'`wayleave fetch` of one page': [process.execPath, wayleave, 'fetch', `${origin}/`],
		...(hasScrapy && {
			'`scrapy version`': ['scrapy', 'version'],
			'`scrapy fetch` of one page': ['scrapy', 'fetch', '--nolog', `${origin}/`],
		}),
	};
	const folder = mkdtempSync(join(tmpdir(), 'wayleave-cold-'));
	const samples = new Map(Object.keys(commands).map((name) => [name, [] as number[]]));
	try {
		for (let run = 0; run < runs; run++)
			for (const [name, [command, ...args]] of Object.entries(commands)) {
				const before = secondsOfChildren();
				const { status, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26 });
				if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`);
				samples.get(name)?.push(secondsOfChildren() - before);
			}
	} finally {
		rmSync(folder, { recursive: true });
	}
	return new Map([...samples].map(([name, all]) => [name, middle(all)]));
}

const secondsOfChildren = (): number => childSeconds(readFileSync('/proc/self/stat', 'utf8'));
