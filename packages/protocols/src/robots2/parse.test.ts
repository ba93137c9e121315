import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agentCategories } from '../identity/index.ts';
import { matchRobots, parseRobots } from '../robots/index.ts';
import { directive, directiveNames, parseRobots2, policyNames } from './index.ts';
import { robots2Text } from './testing/arbitraries.ts';

const read = (text: string) => parseRobots2(text);
const values = (text: string) => read(text).value.global.map(({ name, value }) => `${name}: ${value}`);
const codes = (text: string) => read(text).problems.map(({ code }) => code);
const draft = readFileSync(new URL('../../../../vectors/robots2/draft-0.2.1.txt', import.meta.url), 'utf8');

describe('the file of the draft', () => {
	const { value, problems } = parseRobots2(draft);
	it('AMB-38 has 82 directive lines and nothing odd', () => {
		const lines = draft.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
		expect(lines).toHaveLength(82);
		expect(problems).toEqual([]);
	});
	it('R2-58 exposes the nine values of the meta block', () => {
		expect([...value.meta]).toEqual([
			['spec-version', '2.0'],
			['last-update', '2026-04-07 08:00 UTC'],
			['update-frequency', 'weekly'],
			['significant-change', 'yes'],
			['authored-by', 'Matthew, Claude & Gemini'],
			['contact', 'webmaster@yourdomain.com'],
			['jurisdiction', 'AU'],
			['licence', 'all-rights-reserved'],
			['chain-id', 'robotsv2-example-v0.2.1'],
		]);
	});
	it('R2-37 has a section for each of the eight categories', () => {
		expect(value.sections.flatMap(({ categories }) => categories).sort()).toEqual([...agentCategories].sort());
	});
	it('R2-57 R2-59 AMB-44 report-to and chain belong to the file, not to the last section', () => {
		expect(value.reportTo.map((entry) => entry.value)).toEqual(['https://robotsv2.org/report']);
		expect(value.chain).toMatchObject({ value: 'https://robotsv2.org/community-baseline.txt', line: 419 });
		expect(value.sections.at(-1)!.entries.map(({ text }) => text)).toEqual(['crawl: yes', 'read: no', 'store: no']);
	});
	it('R2-34 R2-35 exposes the quality signals', () => {
		expect(value.quality.map(({ text }) => text)).toEqual([
			'content-type: reference',
			'editorialised: yes',
			'ai-assisted: no',
			'primary-language: en-AU',
		]);
	});
	it('sets every global directive once', () => {
		expect(value.global.map(({ name }) => name)).toEqual(policyNames);
		expect(value.global[0]).toEqual({ name: 'crawl', value: 'yes', line: 59, column: 1, text: 'crawl: yes' });
	});
	it('R2-07 gives a reader of robots.txt the same path decisions', () => {
		const plain = parseRobots(draft).value;
		for (const agent of ['GPTBot', 'ClaudeBot', 'AIWebIndex'])
			for (const path of ['/', '/admin', '/view?a=1', '/api/private/x', '/blog'])
				expect(matchRobots(value.paths, agent, path)).toEqual(matchRobots(plain, agent, path));
	});
});

describe('lines', () => {
	it('R2-03 comments set no directive', () => {
		expect(values('# train: yes\n  # crawl: no\ntrain: no # not: yes')).toEqual(['train: no']);
	});
	it('R2-04 the name stands before the first colon and the value after it', () => {
		expect(values('train:no\n read :  yes \nsummarise\t:\task')).toEqual(['train: no', 'read: yes', 'summarise: ask']);
		expect(read('chain:https://b.test/x?a=1:2').value.chain).toMatchObject({ value: 'https://b.test/x?a=1:2' });
		expect(read('train: no\r\nread: no\rstore: no').value.global.map(({ line }) => line)).toEqual([1, 2, 3]);
	});
	it('a comment needs no space behind a fixed value, and one before it in free text', () => {
		expect(values('crawl: no#never\nmarket: C# tools # ours')).toEqual(['crawl: no', 'market: C# tools']);
	});
	it('AMB-40 names and values in any case, American spellings in, British out', () => {
		expect(values('CRAWL: Yes\nSummarize: NO\npersonalize: no\nmonetize: Ask')).toEqual([
			'crawl: yes',
			'summarise: no',
			'personalise: no',
			'monetise: ask',
		]);
		expect(read('editorialized: partial').value.quality[0]).toMatchObject({ name: 'editorialised' });
		expect(codes('summarize: no')).toEqual(['robots2-american-spelling']);
	});
	it('AMB-40 ignores unknown directives with a warning, also age-rating', () => {
		expect(read('age-rating: 12\nconstructor: yes').problems).toMatchObject([
			{ code: 'robots2-unknown-directive', severity: 'warning', line: 1, args: { name: 'age-rating' } },
			{ code: 'robots2-unknown-directive', line: 2 },
		]);
		expect(codes('Sitemap: https://a.test/s.xml\nUser-agent: *\nCrawl-delay: 5\nDisalow: /x')).toEqual([
			'misspelt-key',
		]);
	});
	it('a missing colon is forgiven where it narrows', () => {
		expect(values('train no\ncrawl yes\nstore session-only')).toEqual(['train: no', 'store: session-only']);
		expect(codes('train no')).toEqual(['robots2-missing-colon']);
	});
	it('drops a byte order mark and reads bytes', () => {
		expect(parseRobots2(new TextEncoder().encode('\uFEFFtrain: no')).value.global).toHaveLength(1);
	});
	it('AMB-46 reads 500 KiB, whole lines only, and no chain from a cut file', () => {
		const line = 'train: no\n';
		const { value, problems } = parseRobots2(`${line.repeat(60_000)}crawl: no`);
		expect(value.truncated).toBe(true);
		expect(value.global).toHaveLength(51_200);
		expect(problems.find(({ code }) => code === 'robots2-truncated')).toMatchObject({ severity: 'error', line: 0 });
		expect(parseRobots2('chain: https://b.test/\ntrain: no', { maxBytes: 25 }).value).not.toHaveProperty('chain');
		expect(parseRobots2('é: no\ntrain: yes\n', { maxBytes: 12 }).value.global).toEqual([]);
	});
});

describe('values', () => {
	const accepted = (name: string, tried: string[]) =>
		tried.filter((value) => !codes(`${name}: ${value}`).includes('robots2-invalid-value'));
	it.each(['summarise', 'derivative', 'train', 'crawl', 'read', 'monetise'])(
		'R2-12 %s takes yes, no or ask',
		(name) => {
			expect(accepted(name, ['yes', 'no', 'ask', 'maybe'])).toEqual(['yes', 'no', 'ask']);
			expect(values(`${name}: maybe`)).toEqual([`${name}: no`]);
		},
	);
	it('R2-14 quote takes yes, no or short-only', () => {
		expect(accepted('quote', ['yes', 'no', 'short-only', 'ask'])).toEqual(['yes', 'no', 'short-only']);
	});
	it('R2-20 store takes yes, no or session-only', () => {
		expect(accepted('store', ['yes', 'no', 'session-only', 'ask'])).toEqual(['yes', 'no', 'session-only']);
	});
	it('R2-26 personalise and compete take yes or no', () => {
		expect(accepted('personalise', ['yes', 'no', 'ask'])).toEqual(['yes', 'no']);
		expect(accepted('compete', ['yes', 'no', 'ask'])).toEqual(['yes', 'no']);
	});
	it('R2-33 honest takes yes alone', () => {
		expect(accepted('honest', ['yes', 'no'])).toEqual(['yes']);
		expect(values('honest: no')).toEqual([]);
	});
	it('R2-34 content-type takes seven values, and another affects nothing', () => {
		const seven = ['opinion', 'news', 'reference', 'satire', 'commercial', 'research', 'personal'];
		expect(accepted('content-type', [...seven, 'blog'])).toEqual(seven);
		expect(read('content-type: blog').value).toMatchObject({ quality: [], global: [] });
	});
	it('R2-35 editorialised, ai-assisted and primary-language', () => {
		expect(accepted('editorialised', ['yes', 'no', 'partial', 'maybe'])).toEqual(['yes', 'no', 'partial']);
		expect(accepted('ai-assisted', ['yes', 'no', 'partial', 'maybe'])).toEqual(['yes', 'no', 'partial']);
		expect(accepted('primary-language', ['en-AU', 'fr', 'zh-Hant-TW', 'english please', 'e'])).toEqual([
			'en-AU',
			'fr',
			'zh-Hant-TW',
		]);
	});
	it('R2-28 R2-29 attribution and link-back take required, preferred or none', () => {
		for (const name of ['attribution', 'link-back'])
			expect(accepted(name, ['required', 'preferred', 'none', 'yes'])).toEqual(['required', 'preferred', 'none']);
		expect(values('attribution: yes')).toEqual([]);
	});
	it('R2-30 R2-31 AMB-51 rate takes a whole number or polite', () => {
		expect(values('rate: 6\nannounce: yes')).toEqual(['rate: 6', 'announce: yes']);
		expect(accepted('rate', ['6', '0', '007', 'polite', '-1', '1.5', '1e3', 'fast', ''])).toEqual([
			'6',
			'0',
			'007',
			'polite',
		]);
	});
	it('R2-57 report-to takes a URL or an address, more than once', () => {
		const { value, problems } = read(
			'report-to: https://a.test/r\nreport-to: a@b.test\nreport-to: mailto:c@d.test\nreport-to: us',
		);
		expect(value.reportTo.map((entry) => entry.value)).toEqual(['https://a.test/r', 'a@b.test', 'mailto:c@d.test']);
		expect(problems).toMatchObject([{ code: 'robots2-invalid-value', line: 4, args: { name: 'report-to' } }]);
	});
	it('AMB-42 an invalid permission is an error and counts as no, another value is absent', () => {
		expect(read('quote: ask\nattribution: often').problems).toMatchObject([
			{ severity: 'error', line: 1, args: { name: 'quote', value: 'ask', counts: 'no' } },
			{ severity: 'warning', line: 2, args: { counts: 'absent' } },
		]);
	});
	it('AMB-43 warns of a repeated directive and names what counts', () => {
		expect(read('quote: yes\nquote: short-only\nquote: yes').problems).toMatchObject([
			{ code: 'robots2-duplicate-directive', line: 2, args: { name: 'quote', value: 'short-only' } },
			{ code: 'robots2-duplicate-directive', line: 3, args: { value: 'short-only' } },
		]);
	});
	it('every directive has a kind, and fixed values stand strictest first', () => {
		for (const name of directiveNames) expect(directive(name).kind).toBeTruthy();
		expect(directive('store').values).toEqual(['no', 'session-only', 'yes']);
	});
});

describe('sections', () => {
	const sections = (text: string) => read(text).value.sections.map(({ categories }) => categories.join('+'));
	it('R2-37 keeps a category of another name and says so', () => {
		expect(sections('[agent: archivist]\ncrawl: no')).toEqual(['archivist']);
		expect(codes('[agent: archivist]\ncrawl: no')).toEqual(['robots2-unknown-category']);
	});
	it.each([
		['[Agent:AI-Assistant]', 'ai-assistant'],
		['[data-harvester]', 'data-harvester'],
		['[agent data-harvester]', 'data-harvester'],
		['[agent: data-harvester', 'data-harvester'],
		['[agent: ai-assistant, monitoring]', 'ai-assistant+monitoring'],
		['[agents = monitoring]', 'monitoring'],
		['[agent:]', ''],
	])('reads %s', (header, categories) => {
		expect(sections(`${header}\ncrawl: no`)).toEqual([categories]);
		expect(values(`${header}\ncrawl: no`)).toEqual([]);
	});
	it('[agent: *] is the global policy', () => {
		expect(values('[agent: monitoring]\nread: no\n[agent: *]\ncrawl: no')).toEqual(['crawl: no']);
	});
	it('AMB-44 ends at a User-agent line or a new section', () => {
		const { value } = read(
			'[agent: monitoring]\nread: no\nUser-agent: *\nDisallow: /a\nstore: no\n[agent: ad-network]\ncrawl: no',
		);
		expect(value.global.map(({ text }) => text)).toEqual(['store: no']);
		expect(value.sections.map(({ entries }) => entries.map(({ text }) => text))).toEqual([['read: no'], ['crawl: no']]);
	});
	it('warns of a path rule in a section', () => {
		expect(read('User-agent: *\n[agent: monitoring]\nDisallow: /a').problems).toMatchObject([
			{ code: 'robots2-path-rule-in-section', line: 3, args: { category: 'monitoring' } },
		]);
	});
});

describe('meta and chain', () => {
	it('R2-58 AMB-39 reads meta lines in the leading comment block only', () => {
		const { value } = read('# meta: contact: a@b.test\n\n#meta:licence:CC0\ntrain: no\n# meta: chain-id: late');
		expect([...value.meta]).toEqual([
			['contact', 'a@b.test'],
			['licence', 'CC0'],
		]);
	});
	it('R2-58 a meta line changes no permission, and an odd value is reported', () => {
		const { value, problems } = read(
			'# meta: train: no\n# meta: update-frequency: often\n# meta: last-update: yesterday',
		);
		expect(value.global).toEqual([]);
		expect(problems).toMatchObject([
			{ code: 'robots2-invalid-meta', severity: 'info', line: 2 },
			{ code: 'robots2-invalid-meta', line: 3 },
		]);
	});
	it('R2-59 AMB-48 chain counts as the last line that is neither blank nor comment', () => {
		expect(read('train: no\nchain: https://b.test/\n\n# end\n').value.chain).toMatchObject({ line: 2 });
		expect(read('chain: https://b.test/\ntrain: no').value).not.toHaveProperty('chain');
		expect(codes('chain: https://b.test/\ntrain: no')).toEqual(['robots2-chain-not-last']);
		expect(codes('chain: https://b.test/\nchain: https://c.test/')).toEqual(['robots2-chain-not-last']);
		expect(codes('chain: baseline.txt')).toEqual(['robots2-invalid-value']);
	});
});

describe('on any input', () => {
	it('never throws, and places every problem on a line of the file', () => {
		fc.assert(
			fc.property(fc.oneof(robots2Text, fc.string(), fc.uint8Array()), (input) => {
				const { value, problems } = parseRobots2(input);
				for (const { line } of problems) expect(line).toBeLessThanOrEqual(value.lines.length);
			}),
		);
	});
});
