import { readdirSync, readFileSync } from 'node:fs';
import { type FormatName, formatNames } from '@wayleave/protocols/lint/format-names';
import { recognise } from '@wayleave/protocols/lint/formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { needsShared, sharedPath } from '../../../../scripts/shared.ts';
import { checkFile } from './index.ts';

describe('recognise', () => {
	it.each<[string, string, FormatName | undefined]>([
		['https://a.test/robots.txt?x=1', '', 'robots'],
		['C:\\site\\Robots2.TXT', '', 'robots2'],
		['site/.well-known/pagedigest.json', '{', 'pagedigest'],
		['bot/ip-ranges.json', '', 'ranges'],
		['out.jsonl', '', 'aidocument-lines'],
		['x', '\ufeffUSER-AGENT : *\nDisallow: /', 'robots'],
		['x', '# policy\nUser-agent: *\nAllow: /\n\n[agent: ai-assistant]\n', 'robots2'],
		['x', 'summarize: yes', 'robots2'],
		['x', '# ours\n10.0.0.0/8 office', 'range-lines'],
		['x', '2001:db8::/32', 'range-lines'],
		['x', '{"prefixes":[]}', 'ranges'],
		['x', '{"synctoken": 1,', 'ranges'],
		['x', '{"version":1,"site_rev":1,"entries":{}}', 'pagedigest'],
		['x', '{"som_version":"0.1"}', 'som'],
		['x', '[{"location":"/","tdm-reservation":1}]', 'tdmrep'],
		['x', '{"schema":{"name":"AIDocument"},"content":{"markdown":"\\"som_version\\": 1"}}', 'aidocument'],
		['x', '{"url":"https://a.test/","markdown":""}', 'aidocument'],
		['x', '{"a":1}', undefined],
		['x', 'Dear reader, at 10:30 we meet.', undefined],
		['x', '', undefined],
	])('%s with %j', (name, text, format) => {
		expect(recognise(name, text)).toBe(format);
	});

	it('no text throws, in any format', () => {
		const texts = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.json());
		fc.assert(
			fc.property(texts, fc.constantFrom(...formatNames), (text, format) => {
				recognise('x', text);
				checkFile({ name: 'x', text, bytes: new TextEncoder().encode(text), format });
			}),
		);
	});
});

const folder = sharedPath('data/robots');
describe.skipIf(folder === undefined)(`robots.txt files of real sites ${needsShared}`, () => {
	it('are recognised and checked', () => {
		const names = readdirSync(folder!).filter((name) => name.endsWith('.txt'));
		for (const name of names) {
			const bytes = readFileSync(`${folder}/${name}`);
			const text = bytes.toString('utf8');
			expect.soft(['robots', undefined], name).toContain(recognise(name, text));
			checkFile({ name, bytes, text, format: 'robots' });
		}
		expect(names.length).toBeGreaterThan(50);
	});
});
