import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { checkConfig } from '../config/load.ts';
import { IdentityChecker } from '../identify/identity-checker.ts';
import { createGateway } from './gateway.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

it('a million distinct clients take no more memory than the first four hundred thousand', () => {
	const config = checkConfig({
		origin: 'https://example.com',
		paths: { disallow: ['/private'] },
		rate: { default: 30 },
		honeypots: ['/trap'],
	});
	let recorded = 0;
	const gateway = createGateway(config, {
		identifier: new IdentityChecker({}),
		recorder: {
			record: () => {
				recorded++;
			},
			recordPolicyVersion() {},
		},
	});
	const paths = ['/robots.txt', '/page', '/private', '/trap'];
	const visit = (client: number) => {
		const headers: Record<string, string> = { host: 'example.com', 'user-agent': `Bot${client % 50}/1.0` };
		headers['x-agent-identity'] = `Bot${client % 50}/1.0 (ai-assistant)`;
		const decided = gateway.decide({
			method: 'GET',
			target: paths[client % paths.length]!,
			address: `10.${(client >> 16) & 255}.${(client >> 8) & 255}.${client & 255}`,
			header: (name) => headers[name],
		});
		if (decided instanceof Promise) throw new Error('nothing is to be looked up here');
		const responded = gateway.respond(decided);
		if (responded instanceof Promise) throw new Error('nothing is to be compiled here');
		gateway.record(decided, responded?.served ?? { status: 200, bytes: 1 });
	};
	const used = () => {
		collect();
		return process.memoryUsage().heapUsed / 1e6;
	};
	const before = used();
	for (let client = 0; client < 400_000; client++) visit(client);
	const some = used();
	for (let client = 400_000; client < 1_000_000; client++) visit(client);
	const all = used();
	console.log(
		`heap: ${before.toFixed()} MB, ${some.toFixed()} MB after 400,000 clients, ${all.toFixed()} MB after a million`,
	);
	expect(recorded).toBe(1_000_000);
	expect(gateway.clientMemory.size).toBe(100_000);
	expect(all - some).toBeLessThan(20);
});
