import { describe, expect, it } from 'vitest';
import type { Resolution } from './resolver.ts';
import { createSystemLookup } from './system-lookup.ts';

const found = (...records: string[]): Resolution<string> => ({ ok: true, records });
const missing = (reason: 'not-found' | 'no-data' | 'failed' | 'timeout'): Resolution<string> => ({
	ok: false,
	reason,
	detail: '',
});

function create(v4: Resolution<string>, v6: Resolution<string>, hosts = '') {
	const asked: string[] = [];
	const lookup = createSystemLookup({
		hosts,
		resolver: { resolve4: async () => v4, resolve6: async () => v6 },
		async fallback(hostname) {
			asked.push(hostname);
			return [{ address: '192.0.2.99', family: 4 }];
		},
	});
	return { lookup, asked };
}

describe('createSystemLookup', () => {
	it('gives the addresses of both families', async () => {
		const { lookup, asked } = create(found('192.0.2.1', '192.0.2.2'), found('2001:db8::1'));
		expect(await lookup('example.com')).toEqual([
			{ address: '192.0.2.1', family: 4 },
			{ address: '192.0.2.2', family: 4 },
			{ address: '2001:db8::1', family: 6 },
		]);
		expect(asked).toEqual([]);
	});

	it('one family is enough', async () => {
		expect(await create(missing('no-data'), found('2001:db8::1')).lookup('example.com')).toHaveLength(1);
		expect(await create(found('192.0.2.1'), missing('timeout')).lookup('example.com')).toHaveLength(1);
	});

	it('the hosts file comes first', async () => {
		const hosts = '# local\n127.0.0.1\tExample.com example.net # own\r\n::1 example.com\nnonsense x\n';
		const { lookup } = create(found('192.0.2.1'), missing('no-data'), hosts);
		expect(await lookup('EXAMPLE.com')).toEqual([
			{ address: '127.0.0.1', family: 4 },
			{ address: '::1', family: 6 },
		]);
		expect(await lookup('other.com')).toEqual([{ address: '192.0.2.1', family: 4 }]);
	});

	it.each(['localhost', 'app.localhost', 'A_B.localhost'])('%s is this machine, whatever others say', async (name) => {
		const { lookup, asked } = create(found('192.0.2.1'), found('2001:db8::1'));
		expect((await lookup(name)).map(({ address }) => address)).toEqual(['127.0.0.1', '::1']);
		expect(asked).toEqual([]);
	});

	it.each(['printer', 'nas.local'])('%s is for the system to find', async (name) => {
		const { lookup, asked } = create(found('192.0.2.1'), missing('no-data'));
		expect(await lookup(name)).toEqual([{ address: '192.0.2.99', family: 4 }]);
		expect(asked).toEqual([name]);
	});

	it.each(['not-found', 'no-data', 'failed'] as const)(
		'a name for which the DNS says %s may be known elsewhere',
		async (reason) => {
			const { lookup, asked } = create(missing(reason), missing(reason));
			expect(await lookup('intranet.corp')).toHaveLength(1);
			expect(asked).toEqual(['intranet.corp']);
		},
	);

	it('a time-out takes no thread', async () => {
		const { lookup, asked } = create(missing('timeout'), missing('no-data'));
		await expect(lookup('dead.example')).rejects.toMatchObject({ code: 'ETIMEOUT' });
		expect(asked).toEqual([]);
	});
});
