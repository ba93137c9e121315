import { readFileSync } from 'node:fs';
import { generateSigningKey, loadSigningKey } from '@wayleave/io/signatures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CheckedIdentity } from './checked-identity.ts';
import type { IdentityChecker } from './identity-checker.ts';
import { identityReasons } from './reasons.ts';
import { request, startWorld, type World } from './testing/world.ts';

const doc = readFileSync(new URL('../../../../docs/explanation/identify.md', import.meta.url), 'utf8');
const rows = [...doc.matchAll(/^\| (\d+) \| (.+?) \| (.+?) \| (\S+) \| (\S+) \|$/gm)].map(
	([, row, claims, found, outcome, reason]) => ({ row: Number(row), claims, found, outcome, reason }),
);

let world: World;
let checker: IdentityChecker;

beforeAll(async () => {
	world = await startWorld();
	({ checker } = await world.open());
});
afterAll(() => world.close());

const other = loadSigningKey(generateSigningKey());
const agent = (name: string, address: string, headers?: Record<string, string>) =>
	checker.identify(request(`Mozilla/5.0 (compatible; ${name}/1.0)`, address, headers));

/** An agent with a list, at a time when its list has not been confirmed for days. */
async function stale(address: string) {
	const opened = await world.open();
	world.state.listsFail = true;
	world.state.time += 3 * 24 * 3_600_000;
	const identity = await opened.checker.identify(request('ListBot/1.0', address));
	world.state.time -= 3 * 24 * 3_600_000;
	world.state.listsFail = false;
	await opened.close();
	return identity;
}

async function signedTwice(): Promise<Record<string, string>> {
	const right = await world.sign({ label: 'a' });
	const wrong = await world.sign({ label: 'b', by: other });
	return Object.fromEntries(Object.keys(right).map((name) => [name, `${wrong[name]}, ${right[name]}`]));
}

/** How each row of the table is brought about, with the case ids that it shows. */
const scenes: Record<number, readonly [ids: string, scene: () => Promise<CheckedIdentity>]> = {
	1: ['', () => agent('ListBot', '198.51.100.7')],
	2: ['PB-22', () => agent('ListBot', '::ffff:198.51.100.7')],
	3: ['', () => agent('ListBot', '203.0.113.4')],
	4: [
		'',
		async () => {
			const strict = await world.open({}, { strictLists: true });
			return strict.checker.identify(request('ListBot/1.0', '203.0.113.4')).finally(strict.close);
		},
	],
	5: ['', () => stale('203.0.113.4')],
	6: ['JAF-22', () => stale('198.51.100.7')],
	7: ['PB-21', () => agent('EmptyBot', '198.51.100.7')],
	8: ['', () => agent('DownBot', '198.51.100.7')],
	9: ['', () => agent('DnsBot', '192.0.2.1')],
	10: ['PB-13', () => agent('DnsBot', '192.0.2.2')],
	11: ['PB-04, PB-05', () => agent('DnsBot', '192.0.2.3')],
	12: ['PB-01', () => agent('DnsBot', '203.0.113.1')],
	13: ['PB-02', () => agent('DnsBot', '203.0.113.2')],
	14: ['', () => agent('DnsBot', '203.0.113.3')],
	15: ['PB-07', () => agent('DnsBot', '203.0.113.4')],
	16: ['PB-07', () => agent('DnsBot', '203.0.113.5')],
	17: ['PB-07', () => agent('DnsBot', '203.0.113.6')],
	18: ['PB-06', () => agent('DnsBot', '203.0.113.7')],
	19: ['', async () => checker.identifyNow(request('DnsBot/1.0', '203.0.113.99'))],
	20: [
		'',
		async () => {
			const before = world.dns.asked.length;
			const identity = await agent('BothBot', '198.51.100.7');
			expect(world.dns.asked.length).toBe(before);
			return identity;
		},
	],
	21: ['', () => agent('BothBot', '192.0.2.1')],
	22: ['', () => agent('BothBot', '203.0.113.4')],
	23: ['', () => agent('DownBothBot', '203.0.113.4')],
	24: ['', () => agent('BothBot', '203.0.113.5')],
	25: ['', async () => agent('SignBot', '203.0.113.4', await world.sign())],
	26: ['', async () => checker.identify(request('curl/8.0', '203.0.113.4', await world.sign()))],
	27: [
		'',
		async () => {
			const identity = { 'x-agent-identity': 'NewBot/1.0 (ai-assistant)' };
			const userAgent = 'NewBot/1.0 (+https://signer.test/about)';
			return checker.identify(request(userAgent, '203.0.113.4', { ...(await world.sign()), ...identity }));
		},
	],
	28: ['', async () => agent('SignBot', '203.0.113.4', await world.sign({ host: 'other-signer.test' }))],
	29: ['', async () => agent('DnsBot', '203.0.113.4', await world.sign({ host: 'other-signer.test' }))],
	30: ['', async () => agent('SignBot', '203.0.113.4', await world.sign({ at: 'https://other.example/' }))],
	31: [
		'',
		async () => {
			const headers = await world.sign({ nonce: 'once' });
			expect((await agent('SignBot', '203.0.113.4', headers)).outcome).toBe('verified');
			return agent('SignBot', '203.0.113.4', headers);
		},
	],
	32: ['', async () => agent('SignBot', '203.0.113.4', await world.sign({ created: 1_700_000_000 }))],
	33: [
		'',
		async () => {
			const { signature, 'signature-agent': signer } = await world.sign();
			const input = 'sig1=("@method");created=1767225600;expires=1767225660;keyid="k";tag="web-bot-auth"';
			const headers = { signature: signature!, 'signature-agent': signer!, 'signature-input': input };
			return agent('SignBot', '203.0.113.4', headers);
		},
	],
	34: [
		'',
		async () => {
			world.state.keys = [other];
			world.state.time += 2 * 3_600_000;
			const identity = await agent('SignBot', '203.0.113.4', await world.sign());
			world.state.keys = [world.key];
			world.state.time += 2 * 3_600_000;
			return identity;
		},
	],
	35: [
		'',
		async () => {
			world.state.keys = [world.key, other];
			world.state.time += 61_000;
			return agent('SignBot', '203.0.113.4', await world.sign({ by: other }));
		},
	],
	36: ['', async () => agent('SignBot', '203.0.113.4', await world.sign({ host: 'down.test' }))],
	37: ['', async () => agent('SignBot', '203.0.113.4', await signedTwice())],
	38: [
		'',
		async () => {
			const facts = request('SignBot/1.0', '203.0.113.4', await world.sign({ host: 'slow.test' }));
			return checker.identify(facts, { dns: 0, signatures: 50 });
		},
	],
	39: ['', async () => agent('ListBot', '198.51.100.7', await world.sign({ at: 'https://other.example/' }))],
	40: ['', async () => agent('DnsBot', '203.0.113.4', { 'signature-input': 'x', signature: 'y' })],
	41: ['PB-35', async () => checker.identify(request('Google-Extended/1.0', '198.51.100.7'))],
	42: ['', () => agent('PlainBot', '203.0.113.4')],
	43: ['', async () => checker.identify(request('AIWebIndex/2.0 (+https://a.test/bot; NewBot)', '203.0.113.4'))],
	44: ['', async () => checker.identify(request('Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0', '203.0.113.4'))],
	45: ['', async () => checker.identify(request(undefined, '203.0.113.4'))],
	46: ['G2-47', () => agent('DnsBot', '127.0.0.1')],
	47: ['', () => agent('ListBot', '10.1.2.3')],
	48: ['', async () => checker.identify(request('Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0', '198.51.100.7'))],
	49: ['', async () => checker.identify(request(undefined, '198.51.100.7'))],
};

describe('docs/explanation/identify.md', () => {
	it.each(rows.map((row) => ({ ...row, ids: scenes[row.row]?.[0] ?? '' })))(
		'row $row: $claims, $found: $outcome, $reason $ids',
		async ({ row, outcome, reason }) => {
			const identity = await scenes[row]![1]();
			expect({ outcome: identity.outcome, reason: identity.reason }).toEqual({ outcome, reason });
			expect(JSON.parse(JSON.stringify(identity.evidence))).toEqual(identity.evidence);
		},
	);

	it('every scene has its row, and every reason at least one', () => {
		expect(rows.map(({ row }) => row)).toEqual(Object.keys(scenes).map(Number));
		expect(new Set(rows.map(({ reason }) => reason))).toEqual(new Set(Object.keys(identityReasons)));
	});
});
