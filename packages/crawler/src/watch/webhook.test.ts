import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readReceiver, readSecret, signNotice } from './webhook.ts';

/** The function that `docs/how-to/watch-changes.md` shows to receivers. */
async function loadExample(): Promise<(headers: Record<string, string>, body: string, secret: string) => boolean> {
	const page = readFileSync(join(import.meta.dirname, '../../../../docs/how-to/watch-changes.md'), 'utf8');
	const code = /^```js\n([\s\S]*?)^```/m.exec(page)?.[1] ?? '';
	const folder = mkdtempSync(join(tmpdir(), 'wayleave-verify-'));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	writeFileSync(join(folder, 'verify.mjs'), code);
	return (await import(join(folder, 'verify.mjs'))).verify;
}

const secrets = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'a secret of twenty-four bytes\n'];

describe('the signature of a notice', () => {
	it('is that of Standard Webhooks: an example that its libraries are tested with', () => {
		const key = readSecret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
		expect(signNotice(key, 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265330, '{"test": 2432232314}')).toEqual({
			'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
			'webhook-timestamp': '1614265330',
			'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
		});
	});

	it.each(secrets)('is verified by the ten lines that the documentation shows (%j)', async (secret) => {
		const verify = await loadExample();
		const [now, body] = [Math.floor(Date.now() / 1000), '{"type":"page.gone"}'];
		const headers = signNotice(readSecret(secret), 'msg_1', now, body);
		expect(verify(headers, body, secret)).toBe(true);
		expect(verify(headers, body.replace('gone', 'added'), secret)).toBe(false);
		expect(verify({ ...headers, 'webhook-id': 'msg_2' }, body, secret)).toBe(false);
		expect(verify(headers, body, `${secret.trim()}AAAB`)).toBe(false);
		expect(verify(signNotice(readSecret(secret), 'msg_1', now - 600, body), body, secret)).toBe(false);
		const rotated = { ...headers, 'webhook-signature': `v1,AAAA ${headers['webhook-signature']}` };
		expect(verify(rotated, body, secret)).toBe(true);
	});

	it.each([
		['short', 'has 5 bytes; it needs at least 24'],
		['whsec_%%%', 'what follows is not base64'],
	])('needs a secret that nobody guesses: %s', (secret, message) => {
		expect(() => readSecret(secret)).toThrow(message);
	});
});

describe('the address of a receiver', () => {
	it.each([
		'https://hooks.example.com/a?key=1',
		'http://127.0.0.1:9000/',
		'http://localhost/',
		'http://receiver:8080/',
		'http://10.1.2.3/',
		'http://[fd00::1]/',
	])('may be %s', (address) => {
		expect(readReceiver(address)).toBe(address);
	});

	it.each([
		['http://hooks.example.com/', 'the receiver needs https'],
		['http://172.32.0.1/', 'the receiver needs https'],
		['http://10.example.com/', 'the receiver needs https'],
		['http://192.168.0.1.example.com/', 'the receiver needs https'],
		['http://[fd::1]/', 'the receiver needs https'],
		['https://user:pass@hooks.example.com/', 'has a password in it'],
		['ftp://hooks.example.com/', 'not an http(s) URL'],
		['hooks', 'not an http(s) URL'],
	])('may not be %s', (address, message) => {
		expect(() => readReceiver(address)).toThrow(message);
	});
});
