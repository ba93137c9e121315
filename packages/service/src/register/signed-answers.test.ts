import { createHash } from 'node:crypto';
import {
	formatKeyDirectory,
	generateSigningKey,
	keyDirectoryPath,
	keyDirectoryType,
	loadSigningKey,
	signRequest,
} from '@wayleave/io/signatures';
import { migrate, openDatabase } from '@wayleave/io/sql';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ServiceOptions } from '../config/config.ts';
import { startTlsSites, type TlsSites } from '../registrar/testing/tls-sites.ts';
import { startService, type TestService } from '../testing/start-service.ts';
import { Register } from './register.ts';
import { registerMigrations } from './schema.ts';

const publicUrl = 'https://index.test';
const key = loadSigningKey(generateSigningKey());
const otherKey = loadSigningKey(generateSigningKey());

let sites: TlsSites;
let service: TestService;
let agent: string;
let reportId: string;
let token: string;

beforeEach(async () => {
	sites = await startTlsSites(['bot.test', 'other.test']);
	const directory = { status: 200, headers: { 'content-type': keyDirectoryType }, body: formatKeyDirectory([key]) };
	sites.pages.set(`bot.test${keyDirectoryPath}`, directory);
	agent = `https://bot.test:${sites.port}`;
	await start();
});
afterEach(async () => {
	await service.close();
	await sites.close();
});

async function start(options: ServiceOptions = {}): Promise<void> {
	const names = ['bot.test', 'other.test'];
	const fetching = { lookup: sites.lookup, ca: sites.ca, privateHosts: names, ownSites: names };
	service = await startService({ open: false, publicUrl, fetching, ...options });
	token = await service.key();
	const violation = {
		url: 'https://tides.test/x',
		timestamp: '2026-11-20T10:00:00Z',
		ip: '203.0.113.9',
		rule: 'Disallow: /x',
		identity: { outcome: 'verified', evidence: { method: 'ranges' } },
	};
	const report = {
		site: 'https://tides.test',
		agent: 'Bot',
		policy: ['https://tides.test/robots.txt'],
		violations: [violation],
	};
	reportId = (await (await service.post('/v1/reports', report)).json()).id;
	await patch(`/v1/review/reports/${reportId}`);
}

const patch = (path: string) =>
	service.request(path, {
		method: 'PATCH',
		body: JSON.stringify({ status: 'published' }),
		headers: { 'content-type': 'application/json' },
		token,
	});
const answer = { author: 'Bot', text: 'It was not us.' };
const path = () => `/v1/reports/${reportId}/answers`;

async function signed({ signer = key, as = agent, at = publicUrl, created = Math.floor(Date.now() / 1000) } = {}) {
	const times = { created, expires: created + 60 };
	return { ...(await signRequest({ method: 'POST', url: at + path() }, signer, { agent: as, ...times })) };
}
const send = (headers: Record<string, string> = {}) => service.post(path(), answer, { headers });

async function shown(id: string) {
	await patch(`/v1/review/reports/${reportId}/answers/${id}`);
	const { answers } = await (await service.request(`/v1/reports/${reportId}`)).json();
	return answers.find((one: { id: string }) => one.id === id);
}

it('an answer is tied to the identity that signed it', async () => {
	const response = await send(await signed());
	expect(response.status).toBe(202);
	expect(await shown((await response.json()).id)).toMatchObject({ ...answer, signed_by: agent });
	expect(await (await service.request('/register')).text()).toContain(`Signed by ${agent}`);
});

it('an answer without a signature is kept, and shown as unsigned', async () => {
	const response = await send();
	expect(response.status).toBe(202);
	expect(await shown((await response.json()).id)).not.toHaveProperty('signed_by');
	expect(await (await service.request('/register')).text()).toContain('Not signed');
});

it('a signature that is invalid, or cannot be checked, gets 403, and the answer is not kept', async () => {
	const good = await signed();
	expect((await send(good)).status).toBe(202);
	const digest = `sha-256=:${createHash('sha256').update('another body').digest('base64')}:`;
	const wrong: [string, Record<string, string>][] = [
		['used before', good],
		['another key', await signed({ signer: otherKey })],
		['another origin', await signed({ as: `https://other.test:${sites.port}` })],
		['another host', await signed({ at: 'https://elsewhere.test' })],
		['expired', await signed({ created: Math.floor(Date.now() / 1000) - 3600 })],
		['inside', await signed({ as: 'https://10.0.0.7' })],
		['changed', { ...(await signed()), signature: 'sig1=:AAAA:' }],
		['half', { 'signature-input': (await signed())['signature-input'] }],
		['another body', { ...(await signed()), 'content-digest': digest }],
	];
	for (const [name, headers] of wrong) {
		const response = await send(headers);
		const { code, detail } = await response.json();
		expect([response.status, code], name).toEqual([403, 'signature-invalid']);
		expect(detail, name).not.toContain('10.0.0.7');
	}
	const { reports } = await (await service.request('/v1/review/reports?status=published', { token })).json();
	expect(reports[0].answers).toHaveLength(1);
});

it('without a public URL no signature can be checked, and the error says so', async () => {
	await service.close();
	const { publicUrl: _, ...rest } = { publicUrl: undefined };
	await start({ ...rest, publicUrl: undefined as never });
	const response = await send(await signed({ at: service.url }));
	expect([response.status, (await response.json()).detail]).toEqual([403, expect.stringContaining('no public URL')]);
});

it('a register of the last version opens, with its answers', async () => {
	const db = openDatabase<unknown>('sqlite::memory:');
	await migrate(db, registerMigrations.slice(0, 1), { component: 'service-register' });
	await sql`insert into service_report values ('r', 1, null, 'Bot', 'https://a.test', '{}', 'published', 1, null)`.execute(
		db,
	);
	await sql`insert into service_report_answer values ('a', 'r', 2, 'Bot', 'No.', 'published')`.execute(db);
	const register = await Register.open(db, () => 3);
	expect((await register.find('r'))?.answers).toEqual([
		{ id: 'a', author: 'Bot', text: 'No.', receivedAt: 2, status: 'published' },
	]);
	await db.destroy();
});
