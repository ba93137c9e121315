import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { commands } from '../../command-list.ts';
import { run } from '../../program.ts';
import { recordingTerminal } from '../../testing/recorder.ts';

let cwd: string;
beforeEach(() => {
	cwd = mkdtempSync(join(tmpdir(), 'wayleave-ranges-'));
});
const put = (name: string, content: string | object) =>
	writeFileSync(join(cwd, name), typeof content === 'string' ? content : JSON.stringify(content));

async function ranges(...argv: string[]) {
	const terminal = recordingTerminal(cwd, { SOURCE_DATE_EPOCH: '1755268200' });
	const code = await run(['ranges', ...argv], terminal, commands);
	return { code, out: terminal.stdout(), err: terminal.stderr() };
}

describe('ranges build', () => {
	it('JAF-02 JAF-04 JAF-07 JAF-08 publishes lines as a list', async () => {
		put('lines.txt', '2001:db8::/32\n192.0.2.0/24 Search # ours\n198.51.100.7\n');
		const { code, out, err } = await ranges('build', 'lines.txt', '--service', 'Bot', '--notes', 'of today');
		expect(code).toBe(0);
		expect(JSON.parse(out)).toEqual({
			formatVersion: '1.0',
			synctoken: expect.stringMatching(/^[0-9a-f]{16}$/),
			creationTime: '2025-08-15T14:30:00Z',
			notes: 'of today',
			prefixes: [
				{ ipv4Prefix: '192.0.2.0/24', service: 'Search', services: ['Search'] },
				{ ipv4Prefix: '198.51.100.7/32', service: 'Bot', services: ['Bot'] },
				{ ipv6Prefix: '2001:db8::/32', service: 'Bot', services: ['Bot'] },
			],
		});
		expect(err).toMatch(/^3 ranges, synctoken [0-9a-f]{16}\n$/);
	});

	it('writes nothing when a line is wrong, and names the place', async () => {
		put('lines.txt', '192.0.2.0/24\n192.0.2.1/24\n');
		expect(await ranges('build', 'lines.txt')).toEqual({
			code: 1,
			out: '',
			err: 'lines.txt:2:1 warning ranges-host-bits 192.0.2.1/24 has bits set beyond its prefix length and is ignored; did you mean 192.0.2.0/24?\n',
		});
	});

	it('aggregates, and writes to a file', async () => {
		put('lines.txt', '192.0.2.0/25\n192.0.2.128/25\n192.0.2.7\n');
		expect((await ranges('build', 'lines.txt', '--aggregate', '--out', 'list.json')).code).toBe(0);
		expect(JSON.parse(readFileSync(join(cwd, 'list.json'), 'utf8'))).toMatchObject({
			prefixes: [{ ipv4Prefix: '192.0.2.0/24' }],
		});
	});

	it('a missing file could not run', async () => {
		expect((await ranges('build', 'nothing.txt')).code).toBe(3);
	});
});

describe('ranges lookup', () => {
	beforeEach(() => {
		put('one.json', { creationTime: '2026-08-20T14:46:45', prefixes: [{ ipv4Prefix: '192.0.2.0/24' }] });
		put('two.txt', '192.0.2.0/28 Search\n2001:db8::/32\n');
	});

	it('JAF-26 names list, range and service', async () => {
		const { code, out } = await ranges(
			'lookup',
			'one.json',
			'two.txt',
			'--ip',
			'::ffff:192.0.2.9',
			'--ip',
			'2001:DB8::1',
		);
		expect(code).toBe(0);
		expect(out).toBe(
			'::ffff:192.0.2.9 is in 192.0.2.0/24 of one.json\n' +
				'::ffff:192.0.2.9 is in 192.0.2.0/28 (Search) of two.txt\n' +
				'2001:DB8::1 is in 2001:db8::/32 of two.txt\n',
		);
	});

	it('exits with 1 if an address is not listed, and says the same as JSON', async () => {
		const { code, out } = await ranges('lookup', 'one.json', '--ip', '198.51.100.1', '--ip', '192.0.2.1', '--json');
		expect(code).toBe(1);
		expect(
			out
				.trimEnd()
				.split('\n')
				.map((line) => JSON.parse(line)),
		).toEqual([
			{ ip: '198.51.100.1', listed: false, matches: [] },
			{ ip: '192.0.2.1', listed: true, matches: [{ file: 'one.json', prefix: '192.0.2.0/24', services: [] }] },
		]);
	});

	it('reports text that is not an address, and files that are not lists', async () => {
		expect((await ranges('lookup', 'one.json', '--ip', '0x7f.1')).code).toBe(2);
		expect((await ranges('lookup', 'one.json')).code).toBe(2);
		put('moved.json', { Temporarily: 'Broken' });
		const { code, err } = await ranges('lookup', 'moved.json', '--ip', '192.0.2.1');
		expect([code, err]).toEqual([1, expect.stringContaining('moved.json:0:0 error ranges-no-prefixes')]);
	});
});

describe('ranges merge', () => {
	it('JAF-27 tags every range with its operator', async () => {
		put('a.json', { prefixes: [{ ipv4Prefix: '192.0.2.0/24', service: 'Search' }] });
		put('b.txt', '192.0.2.0/24\n10.0.0.0/8\n');
		const { code, out, err } = await ranges('merge', 'Ant=a.json', 'b.txt');
		expect(code).toBe(0);
		expect((JSON.parse(out) as { prefixes: unknown }).prefixes).toEqual([
			{ ipv4Prefix: '10.0.0.0/8', service: 'b', services: ['b'] },
			{ ipv4Prefix: '192.0.2.0/24', service: 'Ant/Search', services: ['Ant/Search'] },
			{ ipv4Prefix: '192.0.2.0/24', service: 'b', services: ['b'] },
		]);
		expect(err).toContain('ranges-missing-creation-time');
	});
});

describe('ranges check', () => {
	it('prints what is wrong; only errors end with 1', async () => {
		put('old.json', { prefixes: [{ ipv4Prefix: '192.0.2.1/24' }, { ipv4Prefix: '10.0.0.0/8' }] });
		put('new.json', { formatVersion: '2.0', prefixes: [] });
		const { code, out, err } = await ranges('check', 'old.json');
		expect(code).toBe(0);
		expect(out).toBe(
			'old.json:0:0 warning ranges-missing-creation-time has no creationTime\n' +
				'old.json:1:28 warning ranges-host-bits 192.0.2.1/24 has bits set beyond its prefix length and is ignored; did you mean 192.0.2.0/24?\n',
		);
		expect(err).toBe('old.json: a legacy list of 1 range, 2 problems\n');
		expect(await ranges('check', 'new.json', '--json')).toMatchObject({
			code: 1,
			out: expect.stringMatching(
				/^\{"file":"new.json","code":"ranges-unsupported-version",.*"line":1,"column":18.*\}\n$/,
			),
		});
	});

	it('JAF-03 shows what changed, and a synctoken that stayed', async () => {
		const list = (prefixes: object[]) => ({
			formatVersion: '1.0',
			synctoken: 'x',
			creationTime: '2025-08-15T14:30:00Z',
			prefixes,
		});
		put('a.json', list([{ ipv4Prefix: '192.0.2.0/24', service: 'A' }, { ipv4Prefix: '10.0.0.0/8' }]));
		put('b.json', list([{ ipv4Prefix: '192.0.2.0/24', service: 'B' }, { ipv4Prefix: '11.0.0.0/8' }]));
		const { code, out } = await ranges('check', 'b.json', '--previous', 'a.json');
		expect(code).toBe(1);
		expect(out).toBe(
			'b.json:0:0 error ranges-synctoken-unchanged the ranges changed, but synctoken is still x\n' +
				'+ 11.0.0.0/8\n- 10.0.0.0/8\n~ 192.0.2.0/24 A -> B\n',
		);
		const json = await ranges('check', 'b.json', '--previous', 'a.json', '--json');
		expect(json.out).toContain('{"change":"changed","prefix":"192.0.2.0/24","services":["B"],"before":["A"]}\n');
	});
});
