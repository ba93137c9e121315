import { expect, it } from 'vitest';
import { checkConfig } from '../config/load.ts';
import { createGateway } from '../engine/gateway.ts';
import { createMetrics } from './metrics.ts';

it('counts everybody, names known agents only, and stays bounded', async () => {
	const metrics = createMetrics();
	const gateway = createGateway(checkConfig({ origin: 'https://example.com', paths: { disallow: ['/no'] } }), {
		meter: metrics,
		origin: async () => new Response('page'),
	});
	const get = (path: string, headers: Record<string, string>) =>
		gateway.handle(new Request(`https://example.com${path}`, { headers }), { address: '192.0.2.1' });
	await get('/', { 'user-agent': 'Mozilla/5.0 Firefox/140' });
	await get('/no', { 'user-agent': 'GPTBot/1.2' });
	await get('/', { 'x-agent-identity': 'odd"name\\/1 (monitoring)', 'user-agent': 'x' });
	for (let bot = 0; bot < 300; bot++) await get('/', { 'x-agent-identity': `b${bot}/1`, 'user-agent': 'x' });
	const text = metrics.format({ inFlight: () => 3 });
	expect(text).toContain('wayleave_gateway_requests_total{action="pass",purpose="other",would=""} 1\n');
	expect(text).toContain('wayleave_gateway_violations_total{agent="GPTBot",by="deny"} 1\n');
	expect(text).toContain('agent="odd\\"name\\\\"');
	expect(text).toContain('wayleave_gateway_in_flight 3\n');
	expect(text.match(/agents_total\{/g)!.length).toBeLessThan(210);
	for (const line of text.trimEnd().split('\n'))
		expect(line).toMatch(/^(?:# (?:HELP|TYPE) \w+ .+|\w+(?:\{.*\})? -?\d+)$/);
});
