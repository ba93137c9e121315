// pagedigest: reading and checking a manifest of 100,000 entries beside JSON.parse alone, in one run.
// Usage: npm run pagedigest (in this folder)
import { parseManifest } from '@wayleave/protocols/pagedigest';
import { race, showTable, showTime } from './measure.ts';

/** A manifest of `count` entries; with digests it is four times as large. */
function manifest(count: number, digests: boolean): string {
	const entries: Record<string, object> = {};
	for (let index = 0; index < count; index++) {
		const digest = digests ? { digest: `sha256:${index.toString(16).padStart(64, '0')}` } : {};
		entries[`/docs/section-${index % 97}/page-${index}`] = { rev: ((index * 7919) % 500) + 1, ...digest };
	}
	return JSON.stringify({ version: 1, generated: '2026-04-17T12:00:00Z', site_rev: 123_456, entries });
}

const rows = [['validate', 'bytes', 'JSON.parse alone', 'parseManifest', 'ratio', 'from bytes', 'ratio']];
for (const digests of [false, true]) {
	const text = manifest(100_000, digests);
	const bytes = new TextEncoder().encode(text);
	const maxBytes = bytes.length;
	if (parseManifest(bytes, { maxBytes }).value?.entries.size !== 100_000) throw new Error('the manifest was not read');
	const { parse, ours, decoded } = race(
		{
			parse: () => JSON.parse(text) as unknown,
			ours: () => parseManifest(text, { maxBytes }),
			decoded: () => parseManifest(bytes, { maxBytes }),
		},
		{ roundMs: 1 },
	);
	rows.push([
		`100,000 entries ${digests ? 'with' : 'without'} digests`,
		String(bytes.length),
		showTime(parse.median),
		showTime(ours.median),
		`${(ours.median / parse.median).toFixed(2)}×`,
		showTime(decoded.median),
		`${(decoded.median / parse.median).toFixed(2)}×`,
	]);
}

console.log(`Node ${process.version}; medians of 15 alternating rounds\n`);
console.log(showTable(rows));
