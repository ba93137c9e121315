import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startDnsServer } from '../../../../io/src/testing/dns-server.ts';
import { commands } from '../../command-list.ts';
import { run } from '../../program.ts';
import { recordingTerminal } from '../../testing/recorder.ts';

const record = '_aiwebindex-verify.site.test';
const zone: Record<string, { type: 'TXT'; name: string; data: string }[] | 'SERVFAIL'> = {};
let dns: Awaited<ReturnType<typeof startDnsServer>>;
let cwd: string;

beforeAll(async () => {
	dns = await startDnsServer(zone);
});
afterAll(() => dns.close());
beforeEach(() => {
	cwd = mkdtempSync(join(tmpdir(), 'wayleave-verify-'));
	delete zone[`TXT ${record}`];
});

async function verify(...argv: string[]) {
	const terminal = recordingTerminal(cwd);
	const code = await run(['verify', ...argv, '--resolver', dns.address], terminal, commands);
	return { code, out: terminal.stdout(), err: terminal.stderr() };
}
const tokenIn = (out: string) => /aiwi-verify=([0-9a-f]{40})/.exec(out)![1]!;
const publish = (data: string) => {
	zone[`TXT ${record}`] = [{ type: 'TXT', name: record, data }];
};

it('AWI-58 says what to publish, then looks for it', async () => {
	const first = await verify('site.test');
	expect(first.code).toBe(1);
	expect(first.out).toContain(`${record}  TXT  "aiwi-verify=`);
	expect(first.out).toContain('https://site.test/.well-known/aiwebindex-verify.txt');
	const missing = await verify('site.test');
	expect(missing.code).toBe(1);
	expect(missing.out).toContain('not proven');
	expect(missing.out).toContain('no record');
	publish(`aiwi-verify=${tokenIn(first.out)}`);
	const found = await verify('site.test');
	expect(found.code).toBe(0);
	expect(found.out).toContain('the record was found');
});

it('AWI-76 --new issues another token', async () => {
	const tokens = [await verify('site.test'), await verify('site.test', '--new')].map(({ out }) => tokenIn(out));
	expect(tokens[0]).not.toBe(tokens[1]);
});

it('tells another value from trouble of a resolver', async () => {
	await verify('site.test');
	publish('v=spf1 -all');
	expect((await verify('site.test')).out).toContain('another value: "v=spf1 -all"');
	zone[`TXT ${record}`] = 'SERVFAIL';
	expect((await verify('site.test')).out).toContain('no response, failed');
});

it('gives everything as JSON', async () => {
	await verify('site.test');
	const { out } = await verify('site.test', '--json');
	expect(JSON.parse(out)).toMatchObject({ domain: 'site.test', status: 'pending', last_check: { verified: false } });
});

it('refuses what nobody can own, and says why', async () => {
	const { code, err } = await verify('co.uk');
	expect(code).toBe(2);
	expect(err).toContain('public suffix');
});
