import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countTokens } from '@wayleave/extract/tokens';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkConfig } from '../config/load.ts';
import { publish } from './publish.ts';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'wayleave-tokens-'));
	mkdirSync(join(folder, 'site'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const page = `<!doctype html><html lang="en"><head><title>Quay</title></head><body><main><h1>Quay</h1>${Array.from(
	{ length: 8 },
	(_, at) => `<p>The quay wall was built of granite from the island and repaired after the flood, in year ${at}.</p>`,
).join('')}</main></body></html>`;

it('P2-160 P2-161 the counts match the served text, and stay if nothing is read again', async () => {
	writeFileSync(join(folder, 'site/index.html'), page);
	const config = checkConfig({ origin: 'https://a.test', policy: { read: 'yes' }, som: { endpoint: '/v1/som' } });
	const run = () => publish(join(folder, 'site'), config, { base: folder, out: join(folder, 'out'), tags: true });
	await run();
	const stated = () => {
		const html = readFileSync(join(folder, 'out/index.html'), 'utf8');
		return JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)?.[1] ?? '{}');
	};
	const first = stated();
	const served = readFileSync(join(folder, 'out/index.som.json'), 'utf8');
	expect(first.tokenCount).toBe(countTokens(served));
	expect(first.compressionRatio).toBe(Math.round((countTokens(page) / countTokens(served)) * 10) / 10);
	await run();
	expect(stated()).toEqual(first);
});
