import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { maxVersions, PolicyConflict, PolicyFile, revisionOf } from './policy-file.ts';

const conditions = ['wayleave-source'];
const folder = () => mkdtempSync(join(tmpdir(), 'wayleave-studio-'));

function open(text = 'origin: https://a.example # ours\n') {
	const base = folder();
	const path = join(base, 'wayleave.config.yaml');
	writeFileSync(path, text, { mode: 0o640 });
	const clock = { now: Date.parse('2026-03-01T10:00:00Z') };
	const history = join(base, '.wayleave/policy');
	const file = new PolicyFile({ path, name: 'wayleave.config.yaml', history, now: () => clock.now });
	return { base, path, history, file, clock, text };
}

describe('the policy file on disk', () => {
	it('is replaced as a whole, with its mode; the versions before it stay, with time and note', async () => {
		const { base, path, history, file, clock, text } = open();
		const before = file.read();
		const after = await file.write('origin: https://b.example\n', before.revision, 'moved');
		expect(readFileSync(path, 'utf8')).toBe('origin: https://b.example\n');
		expect(statSync(path).mode & 0o777).toBe(0o640);
		clock.now += 60_000;
		await file.write(text, after.revision, 'rolled back');
		const versions = file.versions();
		expect(versions.map(({ note, revision }) => [note, revision])).toEqual([
			['rolled back', before.revision],
			['moved', after.revision],
			['first version', before.revision],
		]);
		expect(versions[0]?.at).toBe(clock.now);
		expect(file.textOf(versions[1]?.id ?? '')).toBe('origin: https://b.example\n');
		expect(readdirSync(base).sort()).toEqual(['.wayleave', 'wayleave.config.yaml']);
		expect(statSync(join(history, `${versions[0]?.id}.json`)).mode & 0o777).toBe(0o600);
	});

	it('a change on disk meanwhile is a conflict, and both texts are there', async () => {
		const { path, file } = open();
		const { revision } = file.read();
		writeFileSync(path, 'origin: https://hand.example\n');
		const conflict = await file.write('origin: https://b.example\n', revision, '').catch((error: unknown) => error);
		expect(conflict).toBeInstanceOf(PolicyConflict);
		expect(conflict).toMatchObject({
			message: expect.stringMatching(/has changed on disk since you opened it, so nothing was written/),
			current: { text: 'origin: https://hand.example\n' },
		});
		expect(readFileSync(path, 'utf8')).toBe('origin: https://hand.example\n');
		// What was written by hand stays in the history when it is replaced.
		await file.write('origin: https://c.example\n', file.read().revision, 'mine');
		expect(file.versions().map(({ id }) => file.textOf(id))).toContain('origin: https://hand.example\n');
	});

	it('of two writes at once with one base, one is a conflict', async () => {
		const { file } = open();
		const { revision } = file.read();
		const results = await Promise.allSettled([file.write('a: 1\n', revision, ''), file.write('a: 2\n', revision, '')]);
		expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
		expect(file.read().text).toBe('a: 1\n');
	});

	it('writes through a link, and keeps the link', async () => {
		const { base, path, text } = open();
		const link = join(base, 'linked.yaml');
		symlinkSync(path, link);
		const file = new PolicyFile({ path: link, name: 'linked.yaml', history: join(base, 'h') });
		await file.write('a: 1\n', revisionOf(text), '');
		expect(readFileSync(path, 'utf8')).toBe('a: 1\n');
		expect(readdirSync(base)).toContain('linked.yaml');
	});

	it(`keeps the latest ${maxVersions} versions`, async () => {
		const { file, history } = open();
		mkdirSync(history, { recursive: true });
		for (let at = 0; at < maxVersions + 5; at++)
			writeFileSync(
				join(history, `20250101T${String(100_000_000 + at).slice(0, 9)}Z-0123456789ab.json`),
				JSON.stringify({ at, note: `${at}`, text: `a: ${at}` }),
			);
		await file.write('a: 1\n', file.read().revision, 'last');
		expect(file.versions()).toHaveLength(maxVersions);
		expect(file.versions()[0]?.note).toBe('last');
	});

	it('a damaged version, or a name from elsewhere, is no version', () => {
		const { file, history, base } = open();
		mkdirSync(history, { recursive: true });
		writeFileSync(join(history, '20250101T100000000Z-0123456789ab.json'), '{"at":1,');
		writeFileSync(join(base, 'secret.json'), '{"at":1,"note":"","text":"secret"}');
		expect(file.versions()).toEqual([]);
		for (const id of ['../../secret', '20250101T100000000Z-0123456789ab', '..'])
			expect(file.textOf(id)).toBeUndefined();
	});

	it.each([
		['wayleave.config.mjs', 'export default {}', /is a JavaScript module: edit it by hand/],
		['utf16.yaml', Buffer.from('\ufefforigin: x', 'utf16le'), /is in UTF-16: save it as UTF-8/],
		['missing.yaml', undefined, /missing\.yaml: .+ does not exist|no such file/],
	] as const)('%s is read-only, with the reason', (name, content, reason) => {
		const base = folder();
		if (content !== undefined) writeFileSync(join(base, name), content);
		const file = new PolicyFile({ path: join(base, name), name, history: join(base, 'h') });
		expect(file.readOnly()).toMatch(reason);
	});

	it('a process that is killed while it publishes leaves the old or the new file, never a part', async () => {
		const { path, base } = open('# old\n'.repeat(100_000));
		const script = join(base, 'publish-forever.mjs');
		const entry = fileURLToPath(new URL('./testing/publish-forever.ts', import.meta.url));
		await build({ entryPoints: [entry], outfile: script, bundle: true, platform: 'node', format: 'esm', conditions });
		const whole = ['# old\n', '# new\n'].map((line) => line.repeat(100_000));
		for (let times = 1; times <= 4; times++) {
			const child = spawn(process.execPath, [script, path], { stdio: ['ignore', 'pipe', 'inherit'] });
			const ended = new Promise((resolve) => child.once('exit', resolve));
			// In the middle of the write after the first ones.
			let written = 0;
			for await (const dots of child.stdout) {
				written += String(dots).length;
				if (written >= times) break;
			}
			child.kill('SIGKILL');
			await ended;
			const text = readFileSync(path, 'utf8');
			expect(whole.includes(text)).toBe(true);
		}
		// What was left beside it is removed by the next write.
		const file = new PolicyFile({ path, name: 'policy', history: join(base, 'history') });
		await file.write('# after\n', file.read().revision, '');
		expect(readdirSync(base).filter((name) => name.includes('.new-'))).toEqual([]);
	});
});
