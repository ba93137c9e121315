import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const packages = join(import.meta.dirname, '../packages');
const read = (path: string) => readFileSync(join(import.meta.dirname, 'monitoring', path), 'utf8');

/** The modules that write metrics. */
const sources = [
	'gateway/src/metrics/metrics.ts',
	'crawler/src/engine/format-metrics.ts',
	'service/src/documents/documents.ts',
	'service/src/routes/observe.ts',
];

/** All names that Prometheus may see. */
function metricNames(): Set<string> {
	const names = new Set<string>();
	for (const file of sources) {
		const text = readFileSync(join(packages, file), 'utf8');
		for (const [name] of text.matchAll(/\bwayleave_[a-z_]+\w/g)) names.add(name).add(`${name}_bucket`);
		const counters = /const counters = \{([^}]*)\}/.exec(text)?.[1] ?? '';
		for (const [, name] of counters.matchAll(/^\s*(\w+): createCounter/gm)) names.add(`wayleave_gateway_${name}_total`);
		for (const [, name] of text.matchAll(/\bgauge\('(\w+)'/g)) names.add(`wayleave_gateway_${name}`);
	}
	return names;
}

it.each(['alerts.yml', 'alerts.test.yml', 'grafana.json'])('%s names only metrics that exist', (file) => {
	const known = metricNames();
	const named = [...read(file).matchAll(/\bwayleave_[a-z_]+/g)].map(([name]) => name);
	expect(named.length).toBeGreaterThan(2);
	expect(named.filter((name) => !known.has(name))).toEqual([]);
});

it('each panel of the board asks its chosen data source, and has a place of its own', () => {
	interface Panel {
		readonly type: string;
		readonly gridPos: { readonly x: number; readonly y: number };
		readonly datasource?: { readonly uid: string };
	}
	const { panels } = JSON.parse(read('grafana.json')) as { panels: Panel[] };
	const places = panels.map(({ gridPos: { x, y } }) => `${x} ${y}`);
	expect(new Set(places).size).toBe(panels.length);
	for (const { type, datasource } of panels) if (type !== 'row') expect(datasource?.uid).toMatch(/^\$\{datasource\}$/);
});
