import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sourceProgram } from '../../../../scripts/source-program.ts';

// The whole program in a process of its own, with a folder for its files and one for what it might put aside.

const mark = 'qzkwxj-8731';

let folder: string;
let site: http.Server;
let origin: string;
beforeEach(async () => {
	folder = mkdtempSync(join(tmpdir(), 'wayleave-session-only-'));
	for (const name of ['work', 'tmp']) mkdirSync(join(folder, name));
	site = http.createServer((request, response) => {
		const text = (body: string, type: string) => response.setHeader('content-type', type).end(body);
		if (request.url === '/robots2.txt') return text('store: session-only\n', 'text/plain');
		if (!/^\/(?:a|b)?$/.test(request.url!)) return response.writeHead(404).end();
		const links = '<a href="/a">a</a> <a href="/b">b</a>';
		const head = `<title>${mark} title</title><meta name="description" content="${mark} description">`;
		return text(
			`<!doctype html><html lang="en"><head>${head}</head><main><h1>${mark}</h1><p>${mark} is what this page is about.</p>${links}</main></html>`,
			'text/html',
		);
	});
	await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
	origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterEach(async () => {
	await new Promise((resolve) => site.close(resolve).closeAllConnections());
	rmSync(folder, { recursive: true });
});

async function wayleave(...args: string[]) {
	const child = spawn(process.execPath, [sourceProgram('packages/wayleave/src/bin.ts'), ...args], {
		cwd: join(folder, 'work'),
		env: { ...process.env, TMPDIR: join(folder, 'tmp') },
	});
	let stdout = '';
	let stderr = '';
	child.stdout.on('data', (chunk) => {
		stdout += chunk;
	});
	child.stderr.on('data', (chunk) => {
		stderr += chunk;
	});
	const code = await new Promise((resolve) => child.on('close', resolve));
	return { code, stdout, stderr };
}

/** Files of both folders that have the mark in them. */
function marked(): string[] {
	const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
	return files
		.map(({ parentPath, name }) => join(parentPath, name))
		.filter((path) => readFileSync(path, 'latin1').includes(mark));
}

it('R2-21 a page that its site does not allow to be stored goes to stdout, and is in no file, log or temporary folder', async () => {
	const outs = ['--out', 'pages.jsonl', '--out', 'pages/', '--out', '-'];
	const { code, stdout, stderr } = await wayleave('crawl', `${origin}/`, '--delay', '0', '--outcomes', ...outs);
	expect([code, stderr]).toEqual([0, expect.any(String)]);
	const lines = stdout.trim().split('\n');
	expect(lines.map((line) => JSON.parse(line))).toMatchObject(
		Array(3).fill({ outcome: 'fetched', reason: 'store-session-only', document: { identity: { title: mark } } }),
	);
	expect(stderr).not.toContain(mark);
	expect(stderr).toContain('the site allows copies for the session only');
	expect(stderr).not.toContain('--out -');
	expect(marked()).toEqual([]);
	const kept = readFileSync(join(folder, 'work/pages.jsonl'), 'utf8').trim().split('\n');
	expect(kept.map((line) => Object.keys(JSON.parse(line)).includes('document'))).toEqual([false, false, false]);
	// The next run looks at the same pages again, and tells of them by events.
	const next = await wayleave('crawl', `${origin}/`, '--delay', '0', '--json');
	expect(next.stdout).toContain('store-session-only');
	expect(next.stdout + next.stderr).not.toContain(mark);
	expect(marked()).toEqual([]);
}, 60_000);

it('R2-21 nor is it in an archive, which has the terms that forbid it', async () => {
	const { code, stderr } = await wayleave('crawl', `${origin}/`, '--delay', '0', '--warc', 'site.warc.gz');
	expect(code).toBe(1);
	expect(stderr).toContain(
		'3 pages were read but not saved, because the site says store: session-only (robots2.txt:1).',
	);
	const archive = gunzipSync(readFileSync(join(folder, 'work/site.warc.gz'))).toString();
	expect(archive).toContain('store: session-only');
	expect(archive).toContain(`WARC-Target-URI: ${origin}/robots2.txt`);
	expect(archive).not.toContain(mark);
	expect(marked()).toEqual([]);
}, 60_000);
