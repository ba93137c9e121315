import {
	chmodSync,
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sha256 } from '@wayleave/io/hash';
import { checkSuccession, digestOf, type Manifest, parseManifest } from '@wayleave/protocols/pagedigest';
import { parseRobots } from '@wayleave/protocols/robots';
import { checkSomDocument } from '@wayleave/protocols/som';
import { beforeEach, describe, expect, it } from 'vitest';
import { checkConfig } from '../config/load.ts';
import type { ConfigInput } from '../config/schema.ts';
import type { PublishOptions } from './options.ts';
import { publish } from './publish.ts';

const origin = 'https://tides.example';
let base: string;
beforeEach(() => {
	base = mkdtempSync(join(tmpdir(), 'wayleave-publish-'));
});

const at = (name: string) => join(base, name);
const put = (name: string, content: string) => {
	mkdirSync(dirname(at(name)), { recursive: true });
	writeFileSync(at(name), content);
};
const read = (name: string) => readFileSync(at(name), 'utf8');
const page = (text: string, { head = '', tail = '', title = 'Tides' } = {}) =>
	`<!doctype html><html lang=en><head><title>${title}</title>${head}</head><body><main><h1>${title}</h1><p>${text} The water comes and goes twice a day, and every harbour has its own hour.</p></main>${tail}</body></html>`;
const run = (options: PublishOptions = {}, written: Omit<ConfigInput, 'origin'> = {}) =>
	publish(at('site'), checkConfig({ origin, ...written }), { base, time: 1_755_268_200_000, ...options });
const manifest = (name = 'site') => parseManifest(readFileSync(at(`${name}/.well-known/pagedigest.json`))).value!;
const revs = ({ entries }: Manifest = manifest()) =>
	Object.fromEntries([...entries].map(([key, { rev }]) => [key, rev]));
const codes = ({ problems }: Awaited<ReturnType<typeof run>>) =>
	problems.map(({ file, problem }) => `${file} ${problem.code}`);

describe('publishing a folder', () => {
	beforeEach(() => {
		put('site/index.html', page('Home.'));
		put('site/about.html', page('About.', { title: 'About' }));
		put('site/notes/a b.html', page('A b.', { title: 'A b' }));
		put('site/style.css', 'p {}');
	});

	it('writes everything that agents look for, and tells what', async () => {
		const report = await run({}, { policy: { train: 'no', store: 'no' }, verification: 'abc' });
		expect(report).toMatchObject({
			pages: 3,
			read: 3,
			withheld: 0,
			siteRev: 1,
			listed: 3,
			added: 3,
			pageFiles: 6,
			problems: [],
		});
		expect(report.files).toEqual([
			'robots.txt',
			'robots2.txt',
			'.well-known/tdmrep.json',
			'.well-known/aiwebindex-verify.txt',
			'_headers',
			'llms.txt',
			'.well-known/pagedigest.json',
		]);
		expect(read('site/notes/a b.md')).toMatch(/^# A b\n\nA b\. The water/);
		expect(checkSomDocument(read('site/notes/a b.som.json'))).toEqual([]);
		expect(JSON.parse(read('site/notes/a b.som.json')).url).toBe(`${origin}/notes/a%20b.html`);
		expect(read('site/llms.txt')).toContain('- [A b](https://tides.example/notes/a%20b.md)');
		expect(revs()).toEqual({ '/': 1, '/about.html': 1, '/notes/a%20b.html': 1 });
	});

	it('R2-01 REP-01 PD-02 PD-05 AWI-62 tells the host the media types, and every response the manifest', async () => {
		put('site/_headers', '/own\n  X-Own: 1\n');
		await run({}, { policy: { train: 'no', store: 'no' }, verification: 'abc' });
		const headers = read('site/_headers');
		expect(headers).toMatch(/^\/own\n {2}X-Own: 1\n/);
		for (const file of ['/robots.txt', '/robots2.txt', '/.well-known/aiwebindex-verify.txt'])
			expect(headers).toContain(`${file}\n  Content-Type: text/plain; charset=utf-8\n`);
		expect(headers).toContain(
			'/.well-known/pagedigest.json\n  Content-Type: application/json\n  Cache-Control: public, max-age=300\n',
		);
		expect(headers).toContain(
			'/*\n  Link: </.well-known/pagedigest.json>; rel="https://pagedigest.org/rel"\n  Content-Usage: train-ai=n\n',
		);
		expect(headers).toContain('  X-Robots-Tag: noarchive, noai\n');
		expect(headers).toContain(
			'/about.html\n  Link: </about.som.json>; rel="semantic-representation"; type="application/som+json"',
		);
		expect(read('site/.well-known/aiwebindex-verify.txt')).toBe('aiwi-verify=abc\n');
	});

	it('changes nothing when done again, and reads no page', async () => {
		await run({ tags: true }, { policy: { train: 'no' } });
		const before = read('site/.well-known/pagedigest.json');
		const report = await run({ tags: true, time: 1_855_268_200_000 }, { policy: { train: 'no' } });
		expect(report).toMatchObject({ read: 0, siteRev: 1, added: 0, changed: 0, files: [], pageFiles: 0 });
		expect(read('site/.well-known/pagedigest.json')).toBe(before);
	});

	it('PD-13 a rebuild, a build stamp, a token and a cache buster raise nothing', async () => {
		const built = (stamp: string) =>
			page(`Home. <img src="/a.png?v=${stamp}" alt="a tide">`, {
				head: `<meta name="generator" content="x ${stamp}"><meta name="csrf-token" content="${stamp}"><meta property="article:modified_time" content="${stamp}">`,
				tail: `<footer>Built ${stamp}</footer><script nonce="${stamp}">track("${stamp}")</script>`,
			});
		put('site/index.html', built('2026-01-01'));
		await run();
		const digest = manifest().entries.get('/')!.digest;
		put('site/index.html', built('2026-02-02'));
		put('site/about.html', page('About.', { title: 'About' }));
		const report = await run();
		expect(report).toMatchObject({ siteRev: 1, changed: 0 });
		expect(revs()['/']).toBe(1);
		expect(manifest().entries.get('/')!.digest).not.toBe(digest);
	});

	it('PD-13 the title of a page is part of its content, whatever its heading says', async () => {
		await run();
		put('site/about.html', page('About.', { title: 'About' }).replace('<title>About', '<title>About the tides'));
		expect(await run()).toMatchObject({ siteRev: 2, changed: 1 });
		expect([revs()['/about.html'], revs()['/']]).toEqual([2, 1]);
	});

	it('PD-10 PD-11 PD-20 PD-22 revisions follow the content, also back to what it was', async () => {
		await run();
		put('site/about.html', page('About us.', { title: 'About' }));
		await run();
		expect([manifest().siteRev, revs()['/about.html'], revs()['/']]).toEqual([2, 2, 1]);
		put('site/about.html', page('About.', { title: 'About' }));
		await run();
		expect([manifest().siteRev, revs()['/about.html']]).toEqual([3, 3]);
		rmSync(at('site/about.html'));
		await run();
		expect(manifest().siteRev).toBe(4);
	});

	it('PD-21 a new description or title raises the rev', async () => {
		await run();
		put('site/index.html', page('Home.', { head: '<meta name=description content="Tides of today">' }));
		await run();
		expect(revs()['/']).toBe(2);
	});

	it('PD-24 a page that comes back never goes down', async () => {
		for (const text of ['1', '2', '3']) {
			put('site/about.html', page(text));
			await run();
		}
		renameSync(at('site/about.html'), at('kept.html'));
		await run();
		expect([existsSync(at('site/about.som.json')), existsSync(at('site/about.md'))]).toEqual([false, false]);
		renameSync(at('kept.html'), at('site/about.html'));
		await run();
		expect(revs()['/about.html']).toBeGreaterThanOrEqual(3);
		expect(existsSync(at('site/about.som.json'))).toBe(true);
	});

	it('PD-23 lost state: goes on above the manifest that is served', async () => {
		for (const text of ['1', '2', '3']) {
			put('site/about.html', page(text));
			await run();
		}
		const before = manifest();
		rmSync(at('.wayleave'), { recursive: true });
		const report = await run();
		expect(codes(report)).toContain('.well-known/pagedigest.json pagedigest-revisions-behind');
		expect(checkSuccession(before, manifest()).filter(({ severity }) => severity === 'error')).toEqual([]);
		rmSync(at('.wayleave'), { recursive: true });
		rmSync(at('site/.well-known'), { recursive: true });
		await run({ published: before });
		for (const [key, { rev }] of before.entries) expect(manifest().entries.get(key)!.rev).toBeGreaterThan(rev);
	});

	it('a restored old state is noticed, and everything jumps forward', async () => {
		await run();
		cpSync(at('.wayleave'), at('backup'), { recursive: true });
		for (const text of ['1', '2', '3']) {
			put('site/about.html', page(text));
			await run();
		}
		const before = manifest();
		rmSync(at('.wayleave'), { recursive: true });
		cpSync(at('backup'), at('.wayleave'), { recursive: true });
		const report = await run();
		expect(codes(report)).toContain('.well-known/pagedigest.json pagedigest-revisions-behind');
		const highest = Math.max(before.siteRev, ...[...before.entries.values()].map(({ rev }) => rev));
		expect(Math.min(manifest().siteRev, ...Object.values(revs()))).toBeGreaterThan(highest);
		const again = manifest();
		expect(await run()).toMatchObject({ siteRev: again.siteRev, changed: 0 });
	});

	it('PD-12 PD-17 PD-18 a change of coverage raises site_rev alone', async () => {
		await run();
		const report = await run({}, { pagedigest: { coverage: 'partial', prefixes: ['/notes'] } });
		expect(codes(report)).toEqual(['.well-known/pagedigest.json pagedigest-open-prefix']);
		expect(manifest()).toMatchObject({ siteRev: 2, coverage: { mode: 'prefixes', prefixes: ['/notes/'] } });
		expect(revs()).toEqual({ '/notes/a%20b.html': 1 });
		await run({}, { pagedigest: { coverage: 'partial' } });
		expect(manifest().coverage).toBeUndefined();
	});

	it('PD-25 pages stand before the manifest that announces them, and no revision is given twice', async () => {
		await run();
		put('site/about.html', page('About us.'));
		rmSync(at('site/.well-known/pagedigest.json'));
		mkdirSync(at('site/.well-known/pagedigest.json/in-the-way'), { recursive: true });
		await expect(run()).rejects.toThrow();
		expect(read('site/about.md')).toContain('About us.');
		rmSync(at('site/.well-known/pagedigest.json'), { recursive: true });
		put('site/about.html', page('About you.'));
		await run();
		expect(revs()['/about.html']).toBeGreaterThan(1);
	});

	it('PD-27 digests are of the bytes that lie there, tags and all', async () => {
		await run({ tags: true });
		for (const [file, key] of [
			['index.html', '/'],
			['about.html', '/about.html'],
		] as const)
			expect(manifest().entries.get(key)!.digest).toBe(digestOf(readFileSync(at(`site/${file}`)), sha256));
	});

	it('PD-58 lists neither what is disallowed nor what withdraws itself, and makes nothing of it', async () => {
		put('site/robots.txt', 'User-agent: *\nDisallow: /private/\n');
		put('site/private/x.html', page('Secret.'));
		put('site/draft.html', page('Draft.', { head: '<meta name="robots" content="noindex, follow">' }));
		put('site/.hidden/y.html', page('Hidden.'));
		put('site/404.html', page('Nothing.'));
		const report = await run({ tags: true });
		expect(report).toMatchObject({ pages: 5, withheld: 2 });
		expect(Object.keys(revs())).toEqual(['/', '/about.html', '/notes/a%20b.html']);
		for (const file of ['private/x.md', 'private/x.som.json', 'draft.md', 'draft.som.json'])
			expect(existsSync(at(`site/${file}`))).toBe(false);
		put('site/robots.txt', 'User-agent: *\nDisallow: /nothing/\n');
		await run();
		expect(read('site/private/x.md')).toContain('Secret.');
		put('site/robots.txt', 'User-agent: *\nDisallow: /private/\n');
		await run();
		expect(existsSync(at('site/private/x.md'))).toBe(false);
	});

	it('lists other documents by their bytes', async () => {
		put('site/paper.pdf', '%PDF 1');
		put('site/rules.docx', 'PK 1');
		put('site/form.dotm', 'PK 1');
		put('site/talk.pptx', 'PK 1');
		put('site/about.md', '# of the site');
		const report = await run();
		expect(revs()).toMatchObject({ '/paper.pdf': 1, '/rules.docx': 1, '/form.dotm': 1, '/talk.pptx': 1 });
		expect(codes(report)).toEqual(['about.md publish-foreign-companion']);
		expect(read('site/about.md')).toBe('# of the site');
		put('site/paper.pdf', '%PDF 2');
		await run();
		expect(revs()['/paper.pdf']).toBe(2);
	});

	it('R2-53 a honeypot is disallowed in both files, not listed, and has no tags', async () => {
		put('site/api/export/index.html', page('This page exists to verify compliance.'));
		const before = read('site/api/export/index.html');
		await run({ tags: true }, { honeypots: ['/api/export'], policy: { train: 'no' } });
		expect(read('site/api/export/index.html')).toBe(before);
		expect(revs()).not.toHaveProperty('/api/export/');
		for (const file of ['robots.txt', 'robots2.txt']) expect(read(`site/${file}`)).toContain('Disallow: /api/export\n');
	});

	it('leaves policy files that others wrote, and says so', async () => {
		put('site/robots2.txt', 'train: yes\n');
		put('site/llms.txt', '# Ours\n');
		const report = await run({}, { policy: { train: 'no' } });
		expect(report.problems.map(({ problem }) => [problem.code, problem.severity])).toEqual([
			['publish-foreign-file', 'error'],
			['publish-foreign-companion', 'info'],
			['publish-tdm-silent', 'info'],
		]);
		expect(read('site/robots2.txt')).toBe('train: yes\n');
		expect(codes(await run({ replace: true }, { policy: { train: 'no' } }))).not.toContain(
			'robots2.txt publish-foreign-file',
		);
		expect(read('site/robots2.txt')).toContain('train: no\n');
	});

	it('takes away what is no longer said', async () => {
		await run({}, { policy: { train: 'no', store: 'no' } });
		expect(existsSync(at('site/.well-known/tdmrep.json'))).toBe(true);
		const report = await run({}, {});
		expect(report.files).toEqual(['robots.txt', 'robots2.txt', '.well-known/tdmrep.json', '_headers', 'llms.txt']);
		expect(existsSync(at('site/robots2.txt'))).toBe(false);
		expect(parseRobots(read('site/robots.txt')).value.records).toEqual([]);
	});

	it('a folder that was built anew gets its files back without reading a page twice', async () => {
		await run();
		const before = ['about.md', 'about.som.json'].map((file) => read(`site/${file}`));
		rmSync(at('site'), { recursive: true });
		put('site/about.html', page('About.', { title: 'About' }));
		put('site/index.html', page('Home.'));
		put('site/notes/a b.html', page('A b.', { title: 'A b' }));
		expect(await run()).toMatchObject({ read: 0, siteRev: 1, pageFiles: 6 });
		expect(['about.md', 'about.som.json'].map((file) => read(`site/${file}`))).toEqual(before);
	});

	it('reads a page whose size and time are as before when it changed just before the last run', async () => {
		const long = new Date(Date.now() - 60_000);
		await run();
		put('site/about.html', page('abcde.', { title: 'About' }));
		await run();
		const { mtime } = statSync(at('site/about.html'));
		put('site/about.html', page('edcba.', { title: 'About' }));
		utimesSync(at('site/about.html'), mtime, mtime);
		expect(await run()).toMatchObject({ changed: 1 });
		utimesSync(at('site/about.html'), long, long);
		expect(await run()).toMatchObject({ read: 0, changed: 0 });
	});

	it('fills another folder and leaves the first as it is', async () => {
		const before = read('site/index.html');
		put('site/robots.txt', 'User-agent: *\nDisallow: /x\n');
		await run({ out: at('out'), tags: true }, { paths: { disallow: ['/admin'] } });
		expect([read('site/index.html'), existsSync(at('site/index.md'))]).toEqual([before, false]);
		expect(read('site/robots.txt')).toBe('User-agent: *\nDisallow: /x\n');
		expect(read('out/robots.txt')).toContain('Disallow: /x\n');
		expect(read('out/style.css')).toBe('p {}');
		expect(read('out/index.html')).toContain('<!--wayleave-->');
		expect(await run({ out: at('out'), tags: true }, { paths: { disallow: ['/admin'] } })).toMatchObject({
			read: 0,
			pageFiles: 0,
			files: [],
		});
		rmSync(at('site/about.html'));
		await run({ out: at('out'), tags: true });
		expect([existsSync(at('out/about.html')), existsSync(at('out/about.md'))]).toEqual([false, false]);
	});

	it('takes policy files and companions of the site along to another folder', async () => {
		put('site/robots2.txt', 'train: yes\n');
		put('site/about.md', '# of the site');
		const report = await run({ out: at('out') }, { policy: { train: 'no', store: 'no' } });
		expect(codes(report)).toEqual(['robots2.txt publish-foreign-file', 'about.md publish-foreign-companion']);
		expect([read('out/robots2.txt'), read('out/about.md')]).toEqual(['train: yes\n', '# of the site']);
		expect(await run({ out: at('out') }, { policy: { train: 'no', store: 'no' } })).toMatchObject({
			files: [],
			pageFiles: 0,
		});
	});

	it('leaves no manifest behind that nobody keeps up to date', async () => {
		await run();
		expect((await run({ manifest: false })).files).toContain('.well-known/pagedigest.json');
		expect(existsSync(at('site/.well-known/pagedigest.json'))).toBe(false);
	});

	it('follows links to files, and keeps their mode', async () => {
		put('kept/linked.html', page('Linked.'));
		symlinkSync(at('kept/linked.html'), at('site/linked.html'));
		chmodSync(at('site/about.html'), 0o640);
		await run({ tags: true });
		expect(revs()).toHaveProperty('/linked.html', 1);
		expect(statSync(at('site/about.html')).mode & 0o777).toBe(0o640);
	});

	it('knows its own files when the site moves to another origin', async () => {
		await run();
		const report = await publish(at('site'), checkConfig({ origin: 'https://new.example' }), { base });
		expect(report).toMatchObject({ siteRev: 1, problems: [] });
		expect(JSON.parse(read('site/about.som.json')).url).toBe('https://new.example/about.html');
		expect(await run()).toMatchObject({ siteRev: 1, read: 0, problems: [] });
	});

	it('clean URLs are the keys that are requested', async () => {
		await run({ cleanUrls: true });
		expect(Object.keys(revs())).toEqual(['/', '/about', '/notes/a%20b']);
	});

	it('SOM-33 gives out no comments of readers', async () => {
		put(
			'site/post.html',
			page('Post.', {
				tail: '<section class="comments"><h2>Comments</h2><p>Jane Roe, jane@example.org: I was there too.</p></section>',
			}),
		);
		await run({}, { som: { scope: 'full-page' } });
		for (const file of ['post.md', 'post.som.json']) expect(read(`site/${file}`)).not.toMatch(/Jane|jane@/);
	});

	it('tells what files alone cannot do', async () => {
		const written = { som: {}, policy: { train: 'ask' }, ask: { train: { decision: 'allow' } } } as const;
		const codesOf = async (options: PublishOptions) => codes(await run(options, written));
		expect(await codesOf({})).toEqual([
			'policy file publish-ask-without-endpoint',
			'policy file publish-som-not-served',
		]);
		expect(read('site/robots.txt')).not.toContain('SOM-Endpoint');
		expect(await codesOf({ gateway: true })).toEqual([]);
		expect(read('site/robots.txt')).toContain('SOM-Endpoint: https://tides.example/v1/som\n');
	});

	it('SOM-24 the head of a page names the same endpoint as robots.txt', async () => {
		await run({ tags: true }, { som: { endpoint: 'https://cache.tides.example/som', scope: 'article-body' } });
		expect(read('site/robots.txt')).toContain(
			'SOM-Endpoint: https://cache.tides.example/som\nSOM-Format: SOM/1.0\nSOM-Scope: article-body\n',
		);
		expect(read('site/about.html')).toContain(
			'<meta name="som-endpoint" content="https://cache.tides.example/som"><meta name="som-format" content="SOM/1.0"><meta name="som-scope" content="article-body">',
		);
		expect(read('site/_headers')).toContain('</about.md>; rel="alternate"');
		expect(read('site/_headers')).toContain(
			'<https://cache.tides.example/som?url=https%3A%2F%2Ftides.example%2Fabout.html>; rel="semantic-representation"',
		);
	});

	it('PB-73 warns of a rule that withholds more than its words', async () => {
		put('site/jobs.html', page('Jobs.'));
		put('site/jobs-report/index.html', page('Report.'));
		const report = await run({}, { paths: { disallow: ['/jobs'] } });
		expect(report.problems.map(({ problem }) => [problem.code, problem.args.path])).toEqual([
			['publish-broad-rule', '/jobs-report/'],
		]);
	});

	it('warns of a state that would be uploaded', async () => {
		expect(codes(await run({ base: at('site') }))).toEqual(['policy file publish-state-inside']);
	});

	it('PB-75 says that a site is closed', async () => {
		expect(codes(await run({}, { paths: { disallow: ['/'] } }))).toEqual(['policy file publish-site-closed']);
	});
});

describe('many pages', () => {
	it('moves as many revisions as pages were edited, and site_rev once', async () => {
		const name = (index: number) => `site/s${index % 10}/p${index}.html`;
		for (let index = 0; index < 200; index++) put(name(index), page(`Page ${index}.`));
		await run({ som: false, markdown: false });
		const before = manifest();
		for (let index = 0; index < 20; index++) put(name(index * 7), page(`Page ${index}, edited.`));
		expect(await run({ som: false, markdown: false })).toMatchObject({
			read: 20,
			changed: 20,
			added: 0,
			gone: 0,
			siteRev: 2,
		});
		const moved = [...manifest().entries].filter(([key, { rev }]) => before.entries.get(key)!.rev !== rev);
		expect(moved.length).toBe(20);
	});
});
