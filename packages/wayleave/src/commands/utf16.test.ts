import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSite } from '@wayleave/crawler/check';
import { parseConfig } from '@wayleave/gateway/policy';
import { parseTdmrep } from '@wayleave/protocols/policy';
import { describe, expect, it } from 'vitest';
import { commands } from '../command-list.ts';
import { run } from '../program.ts';
import { readNamedText } from '../shared/options/read-named.ts';
import { recordingTerminal } from '../testing/recorder.ts';

type Encode = (text: string) => Uint8Array;
const le: Encode = (text) => Buffer.from(text, 'utf16le');
const be: Encode = (text) => Buffer.from(text, 'utf16le').swap16();
/** As Windows writes it, with a byte order mark, and without one. */
const encodings: readonly (readonly [string, Encode])[] = [
	['UTF-16LE with a mark', (text) => le(`\ufeff${text}`)],
	['UTF-16BE with a mark', (text) => be(`\ufeff${text}`)],
	['UTF-16LE without a mark', le],
	['UTF-16BE without a mark', be],
];

async function command(args: readonly string[], files: Readonly<Record<string, Uint8Array>>) {
	const folder = mkdtempSync(join(tmpdir(), 'wayleave-utf16-'));
	for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
	const terminal = recordingTerminal(folder);
	const exit = await run([...args], terminal, commands);
	return { exit, said: terminal.stdout() + terminal.stderr() };
}

const reservations = '[{ "location": "/", "tdm-reservation": 1 }]';
const list = '{"creationTime":"2026-01-05T10:00:00Z","prefixes":[{"ipv4Prefix":"192.0.2.0/24"}]}';

describe.each(encodings)('%s', (_, encode) => {
	it('tdmrep.json: the reservation is read, and the encoding reported', () => {
		const { value, problems } = parseTdmrep(encode(reservations));
		expect(value).toMatchObject([{ location: '/', reservation: 1 }]);
		expect(problems).toMatchObject([{ code: 'tdmrep-utf-16', severity: 'error' }]);
	});

	it('check: tdmrep.json and the tags of a page are read', async () => {
		const bodies: Record<string, [string, Uint8Array]> = {
			'/.well-known/tdmrep.json': ['application/json', encode(reservations)],
			'/page': ['text/html', encode('<html><head><meta name="robots" content="noai"></head></html>')],
		};
		const { policies, page } = await readSite(
			'https://quay.test/page',
			{ token: 'QuayReader' },
			{
				setSitePace: () => undefined,
				get: async (url: string) => {
					const [contentType, body] = bodies[new URL(url).pathname] ?? ['text/plain', new Uint8Array()];
					const status = body.length > 0 ? 200 : 404;
					return { ok: true, url, status, contentType, headers: [], body } as never;
				},
			} as never,
			{ page: true } as never,
		);
		expect(policies.files?.tdmrep?.value).toMatchObject([{ reservation: 1 }]);
		expect(page?.meta).toMatchObject([{ name: 'robots', content: 'noai' }]);
	});

	it.each([
		['tdmrep.json', reservations, 'tdmrep-utf-16'],
		['ip-ranges.json', list, 'ranges-utf-16'],
		['some.json', list, 'ranges-utf-16'],
		['robots.txt', 'User-agent: *\nDisallow: /x\n', 'utf-16'],
		['robots2.txt', 'crawl: no\n', 'robots2-utf-16'],
		['doc.json', '{"schema":{"name":"AIDocument","version":"2.0"}}', 'lint-utf-16'],
		['page.som.json', '{"som_version":"1.0"}', 'lint-utf-16'],
	])('lint recognises %s and reports its encoding once', async (name, text, code) => {
		const { exit, said } = await command(['lint', name], { [name]: encode(text) });
		expect(said.match(/utf-16/g), said).toHaveLength(1);
		expect(said).toContain(`error ${code} `);
		expect(said).not.toMatch(/not-json|invalid-json|invalid-utf8/);
		expect(exit).toBe(1);
	});

	it('lint checks a policy file', async () => {
		const text = 'origin: https://quay.example.org\npolicy: { crawl: maybe }\n';
		const { said } = await command(['lint', 'wayleave.config.yaml'], { 'wayleave.config.yaml': encode(text) });
		expect(said).toContain('policy.crawl: expected one of');
	});

	it('ranges: the lists and lines of a person are read', async () => {
		const lookup = ['ranges', 'lookup', 'list.json', 'lines.txt', '--ip', '192.0.2.7', '--ip', '198.51.100.7'];
		const { said } = await command(lookup, {
			'list.json': encode(list),
			'lines.txt': encode('198.51.100.0/24 Search\n'),
		});
		expect(said).toMatch(/192\.0\.2\.7.*192\.0\.2\.0\/24/);
		expect(said).toMatch(/198\.51\.100\.7.*198\.51\.100\.0\/24/);
		expect((await command(['ranges', 'check', 'list.json'], { 'list.json': encode(list) })).exit).toBe(1);
	});

	it('a text that a person wrote is read', () => {
		const folder = mkdtempSync(join(tmpdir(), 'wayleave-utf16-'));
		const text = 'origin: https://quay.example.org\npolicy: { crawl: yes, read: no }\n';
		writeFileSync(join(folder, 'policy.yaml'), encode(text));
		const read = readNamedText('policy.yaml', { cwd: folder, stdin: () => new Uint8Array() });
		expect(parseConfig(read)).toMatchObject({ policy: { read: 'no' } });
	});
});

it('bytes that are not UTF-16 are left alone', () => {
	const read = (bytes: Uint8Array) => parseTdmrep(bytes);
	expect(read(Buffer.from(`\ufeff${reservations}`)).problems).toEqual([]);
	expect(read(Buffer.from([0])).problems).toMatchObject([{ code: 'tdmrep-not-json' }]);
	expect(read(new Uint8Array()).problems).toMatchObject([{ code: 'tdmrep-not-json' }]);
});
