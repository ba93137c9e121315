import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateSigningKey } from '@wayleave/io/signatures';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { recordingTerminal } from '../../testing/recorder.ts';
import { type AgentFlags, withAgentOptions } from './agent.ts';
import { agentOptions } from './client.ts';
import { each } from './numbers.ts';
import { hostFileName, readAddress, readSeeds } from './seeds.ts';

const folder = mkdtempSync(join(tmpdir(), 'wayleave-options-'));

async function optionsFor(seed: string, ...argv: string[]) {
	const command = withAgentOptions(new Command()).parse(['--contact', 'me@crawlers.dev', ...argv], { from: 'user' });
	return agentOptions(command.opts<AgentFlags>(), [readAddress(seed)], recordingTerminal(folder));
}

describe('--delay below two seconds', () => {
	it.each([
		['http://127.0.0.1:8080/', []],
		['http://LOCALHOST.:8080/', []],
		['http://[::1]/', []],
		['example.com', ['--i-own-this-site', 'Example.COM']],
		['https://example.com/a', ['--i-own-this-site', 'https://example.com/']],
		['https://bücher.example/', ['--i-own-this-site', 'bücher.example']],
		['https://b.example/', ['--i-own-this-site', 'a.example,b.example']],
	])('is for %s %j', async (seed, argv) => {
		expect((await optionsFor(seed, '--delay', '0', ...argv)).delay).toBe(0);
	});

	it.each([
		['https://example.com/', []],
		['https://127.example.com/', []],
		['https://localhost.example.com/', []],
		['https://sub.example.com/', ['--i-own-this-site', 'example.com']],
	])('is not for %s %j', async (seed, argv) => {
		await expect(optionsFor(seed, '--delay', '0', ...argv)).rejects.toThrow('--i-own-this-site');
	});
});

it('--sign-key is a file, and goes with --key-directory', async () => {
	const pem = generateSigningKey();
	writeFileSync(join(folder, 'key.pem'), pem);
	const directory = ['--key-directory', 'https://bot.example'];
	expect((await optionsFor('https://a.example/', '--sign-key', 'key.pem', ...directory)).identity).toMatchObject({
		signingKey: pem,
		keyDirectory: 'https://bot.example',
	});
	await expect(optionsFor('https://a.example/', '--sign-key', 'key.pem')).rejects.toThrow('must be used together');
	await expect(optionsFor('https://a.example/', ...directory)).rejects.toThrow('must be used together');
	await expect(optionsFor('https://a.example/', '--sign-key', 'none.pem', ...directory)).rejects.toThrow('none.pem');
});

it('names of files keep their commas, and the same one twice is one', () => {
	expect(each('a,b.jsonl', each('c.jsonl', each('a,b.jsonl')))).toEqual(['a,b.jsonl', 'c.jsonl']);
});

it.each([
	['https://docs.example.com./', 'docs.example.com'],
	['http://[::1]:8080/', '___1__8080'],
	['http://127.0.0.1:80/', '127.0.0.1'],
])('the files for %s are called %s', (url, name) => {
	expect(hostFileName(url)).toBe(name);
});

describe('an address as people type it', () => {
	it.each([
		['docs.example.com/a', 'https://docs.example.com/a'],
		['127.0.0.1:9701', 'http://127.0.0.1:9701/'],
		['localhost:8080/x', 'http://localhost:8080/x'],
		['[::1]:8080', 'http://[::1]:8080/'],
		['[2001:db8::1]', 'https://[2001:db8::1]/'],
		['https://127.0.0.1/', 'https://127.0.0.1/'],
		['http://intranet/', 'http://intranet/'],
	])('%s is %s', (text, url) => {
		expect(readAddress(text)).toBe(url);
	});

	it.each(['notaurl', 'intranet:8080'])('%s is none that the web has', (text) => {
		const says = /is not a public web address: .* write http:\/\/(?:notaurl|intranet:8080)$/;
		expect(() => readAddress(text)).toThrow(says);
	});

	it('a host of the own network is named without a scheme where only its name counts', () => {
		expect(() => optionsFor('http://intranet/', '--delay', '0', '--i-own-this-site', 'intranet')).not.toThrow();
	});
});

it('of a list of addresses every line that is none is named at once, as far as anybody reads', () => {
	const cwd = mkdtempSync(join(tmpdir(), 'wayleave-seeds-'));
	writeFileSync(join(cwd, 'few.txt'), 'https://a.test/\nno url\nhttps://b.test/\nftp://c.test/\n');
	const terminal = recordingTerminal(cwd);
	expect(() => readSeeds([], 'few.txt', terminal)).toThrow(
		'few.txt:2: no url is not a URL\nfew.txt:4: ftp://c.test/: only http and https URLs are fetched',
	);
	writeFileSync(join(cwd, 'many.txt'), 'no url\n'.repeat(100));
	expect(() => readSeeds([], 'many.txt', terminal)).toThrow(/many.txt:9: .*\nand 91 more lines$/);
});
