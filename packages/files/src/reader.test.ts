import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { type FileCost, openFileReader } from './index.ts';
import { damagedFiles, type HostileFile, hostileFiles, kindOfName } from './testing/hostile.ts';

const costs: FileCost[] = [];
const files = openFileReader({ onCost: (cost) => costs.push(cost) });
afterAll(() => files.close());

const fixture = (name: string) => readFileSync(new URL(`./testing/fixtures/${name}`, import.meta.url));

/** Text of a known Markdown file or of converted HTML, word by word. */
const wordsOf = (text: string): string[] =>
	text
		.replace(/<title>.*?<\/title>|<[^>]+>|\[\^\d+\]:?|\]\([^)]*\)|!\[[^\]]*\]/g, ' ')
		.replace(/&\w+;/g, ' ')
		// A word that was written with a hyphen may end its line there.
		.replace(/(?<=\p{L})-(?=\p{L})/gu, '')
		.match(/[\p{L}\p{M}]+/gu) ?? [];

const headings = (html: string): string[] =>
	[...html.matchAll(/<h([1-6])>(.*?)<\/h\1>/g)].map(([, level, text]) => `${'#'.repeat(Number(level))} ${text}`);

describe('PDF files with known text', () => {
	it.each([
		['tagged', 'by its tags', 3],
		['untagged', 'by its layout', 4],
		['columns', 'in two columns', 3],
	])('reads %s.pdf %s, with its headings and an anchor for each page', async (name, _how, pages) => {
		const { html, pages: counted } = await files.read(fixture(`${name}.pdf`), 'pdf');
		const known = fixture(`${name}.md`)
			.toString()
			.replace(/```\{=ms\}\n.*\n```/, '');
		expect(counted).toBe(pages);
		expect(html.match(/<a id="page-\d+"><\/a>/g)).toEqual(
			Array.from({ length: pages }, (_, at) => `<a id="page-${at + 1}"></a>`),
		);
		expect(headings(html)).toEqual(known.split('\n').filter((line) => line.startsWith('#')));
		expect(wordsOf(html).join(' ')).toBe(wordsOf(known).join(' '));
	});

	it('keeps tables, code and lists of a page without tags', async () => {
		const { html } = await files.read(fixture('untagged.pdf'), 'pdf');
		expect(html).toContain('<pre><code>function trux(flan, greMap) {\n  const niaId = cer[18] + &quot;dioId&quot;;');
		expect(html).toMatch(/<ol><li>Quitri plioniar/);
		expect(html).toMatch(/<li>Nestgrebal treal stur grufind Liontrior rio<ul><li>Vuffiseastea grufind deastpost<\/li>/);
		expect(html).toMatch(/<table><tr><th>/);
	});
});

/** Process and group of each process that reads files for this one. */
function readingProcesses(): { pid: number; group: number }[] {
	return readdirSync('/proc').flatMap((name) => {
		try {
			const [, parent, group] =
				readFileSync(`/proc/${name}/stat`, 'latin1').split(') ')[1]?.split(' ').map(Number) ?? [];
			const isOurs = parent === process.pid && /\/child\.[jt]s\0/.test(readFileSync(`/proc/${name}/cmdline`, 'latin1'));
			return isOurs ? [{ pid: Number(name), group: group ?? 0 }] : [];
		} catch {
			return []; // it has ended
		}
	});
}

it.runIf(process.platform === 'linux')(
	'signals to all processes of a crawl do not end a file that is read',
	async () => {
		await files.read(fixture('columns.pdf'), 'pdf');
		const [child] = readingProcesses();
		if (child === undefined) throw new Error('no process reads files');
		expect(child.group).toBe(child.pid);
		const reading = files.read(fixture('tagged.pdf'), 'pdf');
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(child.pid, signal);
		expect((await reading).pages).toBe(3);
		expect(readingProcesses()).toEqual([child]);
	},
);

/** Cheap ones; the long test reads five hundred through a crawl. */
const hostile =
	/^(?:pages that are each other|an object that refers|arrays nested|a password|a script that runs|a program to launch|a file inside|a form that is XML|names that hold|bookmarks that follow|a structure that holds|an entity that is a file|files outside of|relations that leave|styles that are based|a macro and|a package|a book under|scripts, frames|a text under|deletions, comments|hidden slides|a presentation with|sheets, rows and)/;

/** The hostile files that make no document, with the reason; all others are read. */
const unreadable = new Map([
	['a password', 'file-encrypted'],
	['a password by AES-256', 'file-encrypted'],
	['a password by a filter of its own', 'file-damaged'],
	['pages that are each other', 'file-damaged'],
	['an object that refers to itself', 'file-damaged'],
	['arrays nested 200,000 times', 'file-damaged'],
	['an entity that is a file', 'file-damaged'],
	['a book under DRM', 'file-encrypted'],
	['a text under a password', 'file-encrypted'],
	['a presentation with a password', 'file-encrypted'],
	['a package outside of the archive', 'file-damaged'],
]);

it('sixty damaged and hostile files end as a document or with a reason, and the next file is read', async () => {
	const good = [
		'tagged.pdf',
		'columns.pdf',
		'pandoc.docx',
		'pandoc.epub',
		'pandoc.odt',
		'pandoc.pptx',
		'exceljs.xlsx',
	].map((name): HostileFile => ({ name, kind: kindOfName(name), bytes: fixture(name) }));
	const made = hostileFiles((name) => hostile.test(name));
	const all = [...made, ...damagedFiles(good, 60 - made.length, 3)];
	costs.length = 0;
	const ends: string[] = [];
	for (const { name, kind, bytes } of all) {
		const end = await files.read(bytes, kind).then(
			({ html }) => (html.includes('Secret') ? `${name}: shows what nobody sees` : 'read'),
			(error: { readonly code?: string }) => error.code ?? `${name}: ${error}`,
		);
		ends.push(end);
	}
	expect(all).toHaveLength(60);
	expect(ends.filter((end) => !/^(?:read|pdf-without-text|file-(?:damaged|encrypted|over-limit))$/.test(end))).toEqual(
		[],
	);
	const ofMade = made.map(({ name }, at) => `${name}: ${ends[at]}`);
	expect(ofMade).toEqual(made.map(({ name }) => `${name}: ${unreadable.get(name) ?? 'read'}`));
	expect(ends).toContain('file-damaged');
	expect(Math.max(...costs.map(({ seconds }) => seconds))).toBeLessThan(5);
	expect((await files.read(fixture('columns.pdf'), 'pdf')).pages).toBe(3);
});
