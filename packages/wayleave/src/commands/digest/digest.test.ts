import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { commands } from '../../command-list.ts';
import { run } from '../../program.ts';
import { recordingTerminal } from '../../testing/recorder.ts';

let cwd: string;
beforeEach(() => {
	cwd = mkdtempSync(join(tmpdir(), 'wayleave-digest-'));
});
const put = (name: string, content: string) => {
	mkdirSync(dirname(join(cwd, name)), { recursive: true });
	writeFileSync(join(cwd, name), content);
};
const read = (name: string) => readFileSync(join(cwd, name), 'utf8');

const page = (text: string, head = '', tail = '') =>
	`<!doctype html><title>Tides</title>${head}<main><h1>Tides</h1><p>${text} The water comes and goes twice a day, and every harbour has its own hour.</p></main>${tail}`;

async function digest(...argv: string[]) {
	const terminal = recordingTerminal(cwd, { SOURCE_DATE_EPOCH: '1755268200' });
	const code = await run(['digest', ...argv], terminal, commands);
	return { code, out: terminal.stdout(), err: terminal.stderr() };
}
const build = (...more: string[]) =>
	digest('build', 'site', '--origin', 'https://tides.example', '--state', 'keep/state.json', ...more);
const manifest = () =>
	JSON.parse(read('site/.well-known/pagedigest.json')) as {
		site_rev: number;
		entries: Record<string, { rev: number; digest: string }>;
	};
const revs = () => Object.fromEntries(Object.entries(manifest().entries).map(([key, { rev }]) => [key, rev]));

describe('digest build', () => {
	beforeEach(() => {
		put('site/index.html', page('Home.'));
		put('site/about.html', page('About.'));
		put('site/notes/a b.md', '# A b\n');
		put('site/style.css', 'p {}');
		put('site/404.html', page('Nothing.'));
		put('site/.drafts/x.html', page('Draft.'));
	});

	it('PD-08 PD-26 PD-58 lists the pages of a folder, and nothing else', async () => {
		const { code, out } = await build();
		expect([code, out]).toEqual([0, 'site_rev 1: 3 pages, 3 new, 0 changed, 0 gone\n']);
		expect(manifest()).toEqual({
			version: 1,
			generated: '2025-08-15T14:30:00Z',
			site_rev: 1,
			coverage: { mode: 'complete' },
			entries: {
				'/': { rev: 1, digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) },
				'/about.html': { rev: 1, digest: expect.any(String) },
				'/notes/a%20b.md': { rev: 1, digest: expect.any(String) },
			},
		});
	});

	it('lists PDF and office files and books too, as publish does', async () => {
		for (const name of ['report.pdf', 'rules.docx', 'form.DOTM', 'sums.XLSM', 'a.epub', 'old.doc'])
			put(`site/${name}`, 'x');
		await build();
		expect(revs()).toMatchObject({
			'/report.pdf': 1,
			'/rules.docx': 1,
			'/form.DOTM': 1,
			'/sums.XLSM': 1,
			'/a.epub': 1,
		});
		expect(revs()).not.toHaveProperty('/old.doc');
	});

	it('PD-10 PD-11 PD-13 PD-20 raises what changed, and nothing for a rebuild', async () => {
		await build();
		put('site/index.html', page('Home.', '', '<script>track(2)</script>'));
		await build();
		expect([manifest().site_rev, revs()]).toEqual([1, { '/': 1, '/about.html': 1, '/notes/a%20b.md': 1 }]);
		put('site/about.html', page('About us.'));
		expect((await build('--json')).out).toBe('{"site_rev":2,"pages":3,"new":0,"changed":1,"gone":0}\n');
		expect(revs()).toEqual({ '/': 1, '/about.html': 2, '/notes/a%20b.md': 1 });
		rmSync(join(cwd, 'site/about.html'));
		await build();
		expect(manifest().site_rev).toBe(3);
	});

	it('PD-21 a changed description raises the rev, a token does not', async () => {
		await build();
		put('site/index.html', page('Home.', '<meta name="csrf-token" content="x">'));
		await build();
		expect(revs()['/']).toBe(1);
		put('site/index.html', page('Home.', '<meta name=description content="Tides of today">'));
		await build();
		expect(revs()['/']).toBe(2);
		put(
			'site/index.html',
			page('Home.', '<meta name=description content="Tides of today"><meta property="twitter:card" content=summary>'),
		);
		await build();
		expect(revs()['/']).toBe(3);
	});

	it('PD-24 a page that comes back does not fall', async () => {
		await build();
		put('site/about.html', page('Other.'));
		await build();
		rmSync(join(cwd, 'site/about.html'));
		await build();
		put('site/about.html', page('Again.'));
		await build();
		expect(revs()['/about.html']).toBe(3);
	});

	it('PD-23 a lost state is noticed by the manifest in its place', async () => {
		await build();
		put('site/about.html', page('Other.'));
		await build();
		const before = manifest();
		rmSync(join(cwd, 'keep'), { recursive: true });
		const { code, err } = await build();
		expect([code, err]).toEqual([0, expect.stringContaining('warning pagedigest-revisions-behind')]);
		expect(manifest().site_rev).toBeGreaterThan(before.site_rev);
		for (const [key, rev] of Object.entries(revs())) expect(rev).toBeGreaterThan(before.entries[key]!.rev);
	});

	it('PD-23 also by a manifest that is given, where the folder is made anew each time', async () => {
		put('live.json', '{"version":1,"generated":"2025-08-15T14:30:00Z","site_rev":40,"entries":{"/":{"rev":7}}}');
		await build('--published', 'live.json');
		expect([manifest().site_rev, revs()['/']]).toEqual([41, 41]);
	});

	it('refuses a state that it cannot read, and touches nothing', async () => {
		await build();
		const before = read('site/.well-known/pagedigest.json');
		put('keep/state.json', '{"format":1');
		const { code, err } = await build();
		expect([code, err]).toEqual([
			1,
			'keep/state.json:0:0 error pagedigest-revisions-unreadable is not a revision state file of Wayleave\n',
		]);
		expect(read('site/.well-known/pagedigest.json')).toBe(before);
	});

	it('PD-12 PD-18 covers prefixes, and clean URLs', async () => {
		const { err } = await build('--prefix', '/notes', '--out', 'out.json');
		expect(err).toContain('pagedigest-open-prefix');
		expect(JSON.parse(read('out.json'))).toMatchObject({ coverage: { mode: 'prefixes', prefixes: ['/notes/'] } });
		await build('--clean-urls');
		expect(Object.keys(manifest().entries)).toEqual(['/', '/about', '/notes/a%20b.md']);
	});

	it('wrong usage, and a folder without pages', async () => {
		expect((await digest('build', 'site', '--origin', 'tides', '--state', 's')).code).toBe(2);
		expect((await digest('build', 'site', '--origin', 'https://tides.example')).code).toBe(2);
		expect((await build('--prefix', 'notes')).code).toBe(2);
		mkdirSync(join(cwd, 'empty'));
		expect((await digest('build', 'empty', '--origin', 'https://tides.example', '--state', 's')).code).toBe(3);
	});
});

describe('digest diff', () => {
	const write = (name: string, siteRev: number, entries: object, more = {}) =>
		put(name, JSON.stringify({ version: 1, generated: '2025-08-15T14:30:00Z', site_rev: siteRev, entries, ...more }));

	it('shows what a consumer would do', async () => {
		write('old.json', 4, { '/': { rev: 1 }, '/a': { rev: 1 }, '/b': { rev: 1 } });
		write('new.json', 5, { '/': { rev: 1 }, '/a': { rev: 2 }, '/c': { rev: 1 } }, { coverage: { mode: 'complete' } });
		expect(await digest('diff', 'old.json', 'new.json')).toEqual({
			code: 0,
			out: '~ /a rev 1 -> 2\n+ /c rev 1\n- /b\n',
			err: 'site_rev 4 -> 5: 2 pages to fetch\n',
		});
		expect((await digest('diff', 'old.json', 'new.json', '--json')).out).toBe(
			'{"change":"changed","key":"/a","rev":2,"before":1}\n{"change":"new","key":"/c","rev":1}\n{"change":"gone","key":"/b"}\n',
		);
	});

	it('ends with 1 when an integer fell', async () => {
		write('old.json', 9, { '/': { rev: 3 }, '/docs/start': { rev: 5 } });
		write('new.json', 8, { '/': { rev: 3 }, '/docs/start': { rev: 4 } });
		const { code, out, err } = await digest('diff', 'old.json', 'new.json');
		expect(code).toBe(1);
		expect(out).toBe(
			'new.json:0:0 error pagedigest-site-rev-decreased site_rev went down from 9 to 8; consumers reject the manifest\n' +
				'new.json:0:0 error pagedigest-rev-decreased the rev of /docs/start went down from 5 to 4\n',
		);
		expect(err).toBe('site_rev 9 -> 8: 0 pages to fetch; consumers ignore the manifest and crawl as usual\n');
		put('new.json', '{"version":1');
		expect(await digest('diff', 'old.json', 'new.json')).toMatchObject({
			code: 1,
			err: expect.stringContaining('new.json:1:13 error pagedigest-invalid-json'),
		});
	});
});

describe('digest audit', () => {
	it('PD-27 PD-42 the digests are those of the files', async () => {
		put('site/index.html', page('Home.'));
		put('site/a/index.html', page('A.'));
		put('site/b.html', page('B.'));
		await build('--clean-urls');
		const file = 'site/.well-known/pagedigest.json';
		expect(await digest('audit', file, 'site')).toEqual({
			code: 0,
			out: '',
			err: '3 pages: 3 match, 0 mismatch, 0 missing, 0 inconclusive\n',
		});
		put('site/b.html', page('Changed.'));
		rmSync(join(cwd, 'site/a'), { recursive: true });
		const { code, out } = await digest('audit', file, 'site');
		expect(code).toBe(1);
		expect(out).toMatch(
			/^missing \/a\/\nmismatch \/b: the manifest has sha256:[0-9a-f]{64}, the file has sha256:[0-9a-f]{64}\n$/,
		);
		expect((await digest('audit', file, 'site', '--json')).out).toContain('{"key":"/","verdict":"match"}\n');
	});

	it('never looks outside the folder, and cannot judge queries or entries without digest', async () => {
		put('secret.html', 'x');
		const digest64 = `sha256:${'0'.repeat(64)}`;
		const entries = {
			'/../secret.html': { rev: 1, digest: digest64 },
			'/%2e%2e/secret': { rev: 1, digest: digest64 },
			'/?q': { rev: 1 },
			'/a': { rev: 1 },
		};
		put('m.json', JSON.stringify({ version: 1, generated: '2025-08-15T14:30:00Z', site_rev: 1, entries }));
		put('site/a', 'x');
		const { code, err } = await digest('audit', 'm.json', 'site');
		expect([code, err]).toEqual([1, '4 pages: 0 match, 0 mismatch, 2 missing, 2 inconclusive\n']);
	});
});
