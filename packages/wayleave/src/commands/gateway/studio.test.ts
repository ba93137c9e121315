import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Asked, policyText, startStudio } from './testing/running-studio.ts';

const start = (text: string | null = policyText, env: Readonly<Record<string, string>> = {}) =>
	startStudio({ text, env });

const blocked = policyText.replace('disallow: ["/members"]', 'disallow: ["/members", "/blog"]');

describe('the endpoints of the policy studio', () => {
	it('publish with the key: the file, the gateway and the history change together; roll back is another publish', async () => {
		const { ask, state, path, running, key, close } = await start();
		const { file } = await state();
		expect(file).toMatchObject({ name: 'wayleave.config.yaml', text: policyText });
		const before = running.gateway().published().policyVersion.version;
		const done = await ask('publish', { key, body: { text: blocked, base: file?.revision, note: 'close the blog' } });
		expect(done.status).toBe(200);
		expect(readFileSync(path, 'utf8')).toBe(blocked);
		const { version, robots } = running.gateway().published().policyVersion;
		expect(robots).toContain('Disallow: /blog');
		expect(done.json.version).toBe(version);
		const { versions } = await state();
		expect(versions.map(({ note }) => note)).toEqual(['close the blog', 'first version']);
		const old = (await ask(`versions/${versions[1]?.id}`)).json.text;
		expect(old).toBe(policyText);
		const back = await ask('publish', { key, body: { text: old, base: done.json.revision, note: 'back' } });
		expect(back.json.version).toBe(before);
		expect(readFileSync(path, 'utf8')).toBe(policyText);
		await close();
	});

	it.each<[string, Asked, number, RegExp]>([
		['without a key', {}, 401, /publishing needs the key of the studio: send it as Authorization: Bearer KEY/],
		['with a wrong key', { key: 'x'.repeat(32) }, 401, /this is not the key of the studio/],
		['from a page of another site', { headers: { origin: 'https://evil.example' } }, 403, /another site/],
		['from a frame of another site', { headers: { 'sec-fetch-site': 'cross-site' } }, 403, /another site/],
		['from a page without an origin', { headers: { origin: 'null' } }, 403, /another site/],
		['by another host name', { headers: { host: 'rebound.example' } }, 421, /call this server by localhost/],
		['as a form', { headers: { 'content-type': 'text/plain' } }, 415, /send JSON/],
		['with a huge body', { raw: JSON.stringify({ text: 'a'.repeat(2_000_000) }) }, 413, /larger than 1 MiB/],
		['with a huge text', { body: { text: 'a'.repeat(300_000), base: 'x' } }, 400, /at most 256 KiB/],
		['with broken JSON', { raw: '{' }, 400, /not valid JSON/],
		['by another method', { method: 'PUT' }, 405, /use POST/],
	])('refuses to publish %s, with a sentence, and writes nothing', async (_, asked, status, sentence) => {
		const { ask, state, path, key, close } = await start();
		const { file } = await state();
		const found = await ask('publish', {
			body: { text: blocked, base: file?.revision },
			...(asked.headers !== undefined || asked.raw !== undefined || asked.body !== undefined ? { key } : {}),
			...asked,
			headers: { 'content-type': 'application/json', ...asked.headers },
		});
		expect(found.status).toBe(status);
		expect(String(found.json.title ?? found.json.text)).toMatch(sentence);
		expect(readFileSync(path, 'utf8')).toBe(policyText);
		await close();
	});

	it('a file that changed on disk is a conflict: nothing is lost, and the current text comes along', async () => {
		const { ask, state, path, key, close } = await start();
		const { file } = await state();
		writeFileSync(path, `${policyText}# by hand\n`);
		const found = await ask('publish', { key, body: { text: blocked, base: file?.revision } });
		expect(found).toMatchObject({
			status: 409,
			json: {
				title: expect.stringMatching(/has changed on disk since you opened it/),
				current: { text: `${policyText}# by hand\n` },
			},
		});
		expect(readFileSync(path, 'utf8')).toBe(`${policyText}# by hand\n`);
		await close();
	});

	it.each([
		[policyText.replace('train: no', 'train: maybe'), /line 5 is wrong: policy\.train: expected one of no, ask, yes/],
		[`${policyText}paths: {}\n`, /line 7 is wrong: .*twice/],
		[policyText.replace('//harbour', '//port'), /a new origin takes effect only after a restart.*by hand, and restart/],
	])('does not publish what the gateway cannot use', async (text, sentence) => {
		const { ask, state, path, key, close } = await start();
		const { file } = await state();
		const found = await ask('publish', { key, body: { text, base: file?.revision } });
		expect(found.status).toBe(422);
		expect(found.json.title).toMatch(sentence);
		expect(readFileSync(path, 'utf8')).toBe(policyText);
		await close();
	});

	it('previews: problems with line and sentence, places, and the files it yields', async () => {
		const { ask, close } = await start();
		const wrong = await ask('preview', { body: { text: policyText.replace('train: no', 'trian: no') } });
		expect(wrong.json.problems).toMatchObject([
			{ severity: 'error', line: 5, sentence: expect.stringMatching(/policy\.trian: unknown key; did you mean train/) },
		]);
		expect(wrong.json.yields).toBeUndefined();
		const right = await ask('preview', { body: { text: policyText } });
		expect(right.json).toMatchObject({
			problems: [{ code: 'publish-tdm-silent', severity: 'info' }],
			places: expect.arrayContaining([
				{ path: ['paths', 'disallow', 0], value: '/members', line: 4, column: 14, endColumn: 24 },
			]),
		});
		const { files } = right.json.yields as { files: { name: string; text: string }[] };
		expect(files.map(({ name }) => name)).toEqual(
			expect.arrayContaining(['/robots.txt', '/robots2.txt', '/llms.txt', 'Response headers', 'Meta tags']),
		);
		expect(files.find(({ name }) => name === '/robots2.txt')?.text).toContain('train: no');
		await close();
	});

	it('switches, compares, and refuses both with a sentence', async () => {
		const { ask, close } = await start();
		const subject = { kind: 'agent', name: 'Bytespider' };
		const switched = await ask('switch', { body: { text: policyText, subject, access: 'block' } });
		expect(switched.json).toMatchObject({ sentence: 'Bytespider: the whole site is now disallowed' });
		expect(String(switched.json.text)).toContain('# staff\n  agents:\n    Bytespider:\n');
		const compared = await ask('compare', { body: { text: switched.json.text } });
		expect(compared.json).toMatchObject({ recorded: 0, changed: 0, agents: [] });
		const limited = await ask('switch', { body: { text: policyText, subject, access: 'limit' } });
		expect(limited).toMatchObject({ status: 422, json: { title: expect.stringMatching(/name at least one path/) } });
		const broken = await ask('compare', { body: { text: 'origin: [' } });
		expect(broken.status).toBe(422);
		const missing = await ask('compare', { body: { text: policyText, against: 'nothing' } });
		expect(missing).toMatchObject({ status: 404, json: { title: expect.stringMatching(/no version nothing/) } });
		expect((await ask('elsewhere')).status).toBe(404);
		expect((await ask('constructor')).status).toBe(404);
		expect((await ask('versions/..%2f..%2fwayleave')).status).toBe(404);
		await close();
	});

	it('from another machine: nothing without a key, and with the key of the studio only the studio', async () => {
		const { ask, key, close } = await start();
		const headers = { 'x-forwarded-for': '203.0.113.9' };
		expect((await ask('state', { headers })).status).toBe(403);
		expect((await ask('state', { headers, key: 'x'.repeat(32) })).status).toBe(401);
		expect((await ask('state', { headers, key })).status).toBe(200);
		for (const path of ['../overview', '%2e%2e/overview', '../../', '..%2foverview'])
			expect((await ask(path, { headers, key })).status, path).toBeGreaterThanOrEqual(400);
		await close();
	});

	it('makes a key that only its user can read, once, and takes one from the environment or a file', async () => {
		const { cwd, key, close, terminal } = await start();
		expect(key).toMatch(/^[\w-]{32}$/);
		expect(statSync(join(cwd, '.wayleave/studio.key')).mode & 0o777).toBe(0o600);
		await close();
		const own = 'a-key-of-at-least-20-characters';
		const other = await start(policyText, { WAYLEAVE_STUDIO_KEY: own });
		expect(other.note).toBe('key in WAYLEAVE_STUDIO_KEY');
		const { file } = await other.state();
		expect((await other.ask('publish', { key: own, body: { text: blocked, base: file?.revision } })).status).toBe(200);
		await other.close();
		await expect(start(policyText, { WAYLEAVE_STUDIO_KEY: 'short' })).rejects.toThrow(/at least 20 characters/);
		expect(terminal.stderr()).toBe('');
	});

	it('without a policy file the studio is read-only, and says how to get one', async () => {
		const { ask, state, close } = await start(null);
		const found = await state();
		expect(found.readOnly).toMatch(/runs without a policy file: write one with wayleave init/);
		expect(found.file).toBeUndefined();
		expect(found.live.files.map(({ name }) => name)).toContain('/robots.txt');
		const refused = await ask('publish', { key: 'x'.repeat(32), body: { text: policyText, base: '' } });
		expect(refused.status).toBe(403);
		await close();
	});
});
