import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { docxWith, hostileFiles, paragraph, run } from '../testing/hostile.ts';
import { defaultLimits } from '../types.ts';
import { readDocx } from './read-docx.ts';

const read = async (bytes: Uint8Array) => (await readDocx(bytes, defaultLimits)).html;

it('reads headings, lists, code, metadata and language', async () => {
	const html = await read(readFileSync(new URL('../testing/fixtures/pandoc.docx', import.meta.url)));
	expect(html).toContain('<h1');
	expect(html.replace(/<\/?code>/g, '')).toMatch(/<pre>function trux\(flan, greMap\) \{(?:\n|<br \/>) {2}const niaId/);
	expect(html).toContain('<meta name="author" content="Ada Example">');
	expect(html).toContain('<html lang="de">');
});

describe('text that Word does not show is not in the document', () => {
	it.each([
		['hidden', '<w:vanish/>', false],
		['hidden, switched off', '<w:vanish w:val="0"/>', true],
		['white', '<w:color w:val="FFFFFF"/>', false],
		['white on a colour', '<w:color w:val="FFFFFF"/><w:shd w:val="clear" w:fill="112233"/>', true],
		['of one point', '<w:sz w:val="2"/>', false],
	])('%s', async (_name, properties, isSeen) => {
		const html = await read(docxWith(paragraph(run('Seen.') + run('Secret', properties))));
		expect(html).toContain('Seen.');
		expect(html.includes('Secret')).toBe(isSeen);
	});
});

it.each([
	['elements nested 100,000 times', 'file-over-limit'],
	['no document', 'file-damaged'],
	['a password', 'file-encrypted'],
	['the format before', 'file-damaged'],
	['nothing', 'file-damaged'],
])('%s ends as %s', async (name, code) => {
	const file = hostileFiles((one, kind) => kind === 'docx' && one === name)[0];
	await expect(readDocx(file!.bytes, defaultLimits)).rejects.toMatchObject({ code });
});
