import { constants, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KeyResult } from './directories.ts';
import { generateSigningKey, loadSigningKey, type PublicJwk, readKeyDirectory, verifierOf } from './keys.ts';
import type { RequestVerdict, SignedRequest } from './request-verdict.ts';
import { signRequest } from './sign-request.ts';
import { RequestVerifier, type RequestVerifierOptions } from './verify-request.ts';

interface Vector {
	readonly id: string;
	readonly source: string;
	readonly request: { readonly method: string; readonly url: string; readonly headers: Record<string, string> };
	readonly now: number;
	readonly base?: string;
	readonly expect: Partial<RequestVerdict>;
}

const vectors = JSON.parse(
	readFileSync(new URL('../../../../vectors/signatures/requests.json', import.meta.url), 'utf8'),
) as {
	key: Extract<PublicJwk, { kty: 'OKP' }> & { d: string };
	rfc9421: { base: string; signature: string };
	cases: Vector[];
};

const pem = createPrivateKey({ key: { ...vectors.key }, format: 'jwk' }).export({ type: 'pkcs8', format: 'pem' });
const key = loadSigningKey(pem.toString());
const agent = 'https://signature-agent.test';
const time = 1735689700;

/** The directories of the vectors. */
async function find(origin: string, keyId: string): Promise<KeyResult> {
	if (origin !== agent) return { result: 'unavailable', detail: 'http-500' };
	if (keyId !== key.keyId) return { result: 'missing', detail: 'no such key' };
	return { result: 'found', verifier: verifierOf(key.jwk) };
}

function received({ method, url, headers }: Vector['request']): SignedRequest {
	return { method, url, header: (name) => headers[name] };
}

function verifier(options: Partial<RequestVerifierOptions> = {}) {
	return new RequestVerifier({ directories: { find }, now: () => time, acceptPrintedKeys: true, ...options });
}

async function signed(url = 'https://example.com/', options: { nonce?: string; label?: string } = {}, by = key) {
	const request = { method: 'GET', url };
	const headers = { ...(await signRequest(request, by, { agent, created: time, expires: time + 300, ...options })) };
	return { ...request, headers };
}

describe('vectors/signatures/requests.json', () => {
	it('the key is the one of RFC 9421 §B.1.4, by its thumbprint', () => {
		expect(key.keyId).toBe(vectors.key.kid);
	});

	it('RFC 9421 §B.2.6 verifies, and is what the key signs', async () => {
		const base = Buffer.from(vectors.rfc9421.base);
		const signature = Buffer.from(vectors.rfc9421.signature, 'base64');
		expect(await verifierOf(key.jwk).verify(base, signature)).toBe(true);
		expect(Buffer.from(await key.signer.sign(base))).toEqual(signature);
	});

	it.each(vectors.cases)('$id', async ({ request, now, expect: expected }) => {
		expect(await verifier({ now: () => now }).verify(received(request))).toMatchObject(expected);
	});

	it.each(vectors.cases.filter(({ base }) => base !== undefined))('is what the key signs: $id', async (vector) => {
		const signature = Buffer.from(await key.signer.sign(Buffer.from(vector.base!))).toString('base64');
		expect(vector.request.headers.signature).toContain(`:${signature}:`);
	});
});

describe('signRequest', () => {
	it('signs what verifies, for that host alone', async () => {
		const request = await signed('https://example.com/a?b=c');
		expect(await verifier().verify(received(request))).toEqual({
			outcome: 'valid',
			agent,
			keyId: key.keyId,
			label: 'sig1',
		});
		const elsewhere = { ...request, url: 'https://other.example/a?b=c' };
		expect(await verifier().verify(received(elsewhere))).toMatchObject({ reason: 'wrong-signature' });
	});

	it('signs as the vector for a dictionary does', async () => {
		const vector = vectors.cases.find(({ id }) => id === 'PB-105 Signature-Agent as a dictionary')!;
		const nonce = /nonce="([^"]+)"/.exec(vector.base!)![1]!;
		const times = { created: 1735689600, expires: 1735693200 };
		expect(await signRequest(vector.request, key, { agent, nonce, ...times })).toEqual(vector.request.headers);
	});

	it.each(['http://a.test', 'https://a.test/page', 'https://u:p@a.test', 'a.test', ''])(
		'refuses the agent %j',
		async (name) => {
			const request = { method: 'GET', url: 'https://example.com/' };
			const signing = signRequest(request, key, { agent: name, created: 0, expires: 1 });
			await expect(signing).rejects.toThrow(TypeError);
		},
	);
});

describe('RequestVerifier', () => {
	it.each([
		[';type=jwks_uri', 'type=jwks_uri'],
		[';type=cimd', 'type=cimd'],
		[';type="directory2"', 'type=directory2'],
		[';v=1', 'v=1'],
		[';fresh', 'fresh'],
		[';type=directory;fresh', 'fresh'],
		[';type=directory', undefined],
		['', undefined],
	])('AMB-147 a member of Signature-Agent with parameters is not read: %j', async (parameters, named) => {
		const asked: string[] = [];
		const directories = {
			find(origin: string, keyId: string) {
				asked.push(origin);
				return find(origin, keyId);
			},
		};
		const request = await signed();
		const headers = { ...request.headers, 'signature-agent': `${request.headers['signature-agent']}${parameters}` };
		const verdict = await verifier({ directories }).verify(received({ ...request, headers }));
		expect(asked).toEqual(named === undefined ? [agent] : []);
		if (named !== undefined)
			expect(verdict).toMatchObject({ outcome: 'unverifiable', detail: expect.stringContaining(` ${named}:`) });
	});

	it('a nonce is accepted once, and the memory of nonces is bounded', async () => {
		const one = verifier({ maxNonces: 2 });
		const outcomes = [];
		for (const nonce of ['a', 'a', 'b', 'c', 'a'])
			outcomes.push((await one.verify(received(await signed(undefined, { nonce })))).outcome);
		expect(outcomes).toEqual(['valid', 'invalid', 'valid', 'valid', 'valid']);
		expect(await one.verify(received(await signed(undefined, { nonce: 'a' })))).toMatchObject({ reason: 'replayed' });
	});

	it('RFC 9421 §3.3.1 a key of RSA signs by RSASSA-PSS, and by nothing else', async () => {
		const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
		const { kty, n, e } = publicKey.export({ format: 'jwk' });
		const keys = readKeyDirectory(
			JSON.stringify({
				keys: [
					{ kty, n, e },
					{ kty, n: 'short', e },
				],
			}),
		)!;
		expect(keys.size).toBe(1);
		const [keyId, jwk] = [...keys][0]!;
		const pss = { key: privateKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 64 };
		const by = (algorithm: 'rsa-pss-sha512' | 'rsa-v1_5-sha256') => ({
			keyId,
			jwk,
			signer: {
				algorithm,
				sign: (data: Uint8Array) =>
					algorithm === 'rsa-pss-sha512' ? sign('sha512', data, pss) : sign('sha256', data, privateKey),
			},
		});
		const one = verifier({
			directories: { find: async () => ({ result: 'found' as const, verifier: verifierOf(jwk) }) },
		});
		const good = await signed(undefined, {}, by('rsa-pss-sha512'));
		expect(await one.verify(received(good))).toMatchObject({ outcome: 'valid', keyId });
		expect((await one.verify(received({ ...good, url: 'https://other.example/' }))).outcome).toBe('invalid');
		const other = await signed(undefined, {}, by('rsa-v1_5-sha256'));
		expect((await one.verify(received(other))).outcome).toBe('invalid');
	});

	it('a wrong signature uses up no nonce', async () => {
		const one = verifier();
		const request = await signed(undefined, { nonce: 'a' });
		expect((await one.verify(received({ ...request, url: 'https://other.example/' }))).outcome).toBe('invalid');
		expect((await one.verify(received(request))).outcome).toBe('valid');
	});

	it('a signature for a host that is not ours was made for somebody else', async () => {
		const request = received(await signed('https://other.example/'));
		expect(await verifier({ authorities: ['example.com'] }).verify(request)).toMatchObject({
			reason: 'foreign-authority',
		});
		expect((await verifier({ authorities: ['other.example'] }).verify(request)).outcome).toBe('valid');
	});

	it('of two signatures the one that holds counts, in any order', async () => {
		const right = await signed(undefined, { label: 'a' });
		const wrong = await signed(undefined, { label: 'b' }, loadSigningKey(generateSigningKey()));
		for (const [one, two] of [
			[right, wrong],
			[wrong, right],
		] as const) {
			const join = (name: 'signature' | 'signature-input' | 'signature-agent') =>
				`${one.headers[name]}, ${two.headers[name]}`;
			const headers = {
				signature: join('signature'),
				'signature-input': join('signature-input'),
				'signature-agent': join('signature-agent'),
			};
			expect(await verifier().verify(received({ ...right, headers }))).toMatchObject({ outcome: 'valid', label: 'a' });
			expect(await verifier().verify(received({ ...wrong, headers, url: 'https://other.example/' }))).toMatchObject({
				outcome: 'invalid',
			});
		}
	});

	it('of two signatures that hold the one of the agent that is looked for counts', async () => {
		const find = async (): Promise<KeyResult> => ({ result: 'found', verifier: verifierOf(key.jwk) });
		const one = await signed(undefined, { label: 'a' });
		const headers: Record<string, string> = { ...one.headers };
		const times = { created: time, expires: time + 300 };
		const second = await signRequest(one, key, { agent: 'https://second.test', label: 'b', ...times });
		for (const [name, value] of Object.entries(second)) headers[name] += `, ${value}`;
		const verify = (prefer?: (agent: string) => boolean) =>
			verifier({ directories: { find } }).verify(received({ ...one, headers }), prefer);
		expect(await verify()).toMatchObject({ agent });
		expect(await verify((each) => each === 'https://second.test')).toMatchObject({ agent: 'https://second.test' });
		expect(await verify(() => false)).toMatchObject({ outcome: 'valid', agent });
	});

	it('asks for few keys, however many signatures there are', async () => {
		let asked = 0;
		const labels = Array.from({ length: 50 }, (_, n) => `s${n}`);
		const params = `created=${time};expires=${time + 1};keyid="k";tag="web-bot-auth"`;
		const headers = {
			'signature-input': labels
				.map((label) => `${label}=("@authority" "signature-agent";key="a");${params}`)
				.join(', '),
			signature: labels.map((label) => `${label}=:AAAA:`).join(', '),
			'signature-agent': `a="${agent}"`,
		};
		const directories = {
			async find(): Promise<KeyResult> {
				asked++;
				return { result: 'missing', detail: '' };
			},
		};
		await verifier({ directories }).verify(received({ method: 'GET', url: 'https://example.com/', headers }));
		expect(asked).toBeLessThanOrEqual(4);
	});

	it('PB-115 no signature is evidence of nothing, nor is one of another protocol', async () => {
		const request = { method: 'GET', url: 'https://example.com/' };
		expect(await verifier().verify(received({ ...request, headers: {} }))).toEqual({ outcome: 'absent' });
		const cavage = { signature: 'keyId="https://a.test/actor#key",headers="host date",signature="AAAA"' };
		expect(await verifier().verify(received({ ...request, headers: cavage }))).toEqual({ outcome: 'absent' });
	});

	it('one changed byte anywhere is no valid signature, and nothing makes it throw', async () => {
		const request = await signed();
		const names = ['signature', 'signature-input', 'signature-agent'] as const;
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...names),
				fc.nat(),
				fc.string({ minLength: 1, maxLength: 1 }),
				async (name, at, byte) => {
					const value = request.headers[name];
					const place = at % value.length;
					fc.pre(value[place] !== byte);
					const changed = value.slice(0, place) + byte + value.slice(place + 1);
					const verdict = await verifier().verify(
						received({ ...request, headers: { ...request.headers, [name]: changed } }),
					);
					// The last digit of the signature carries two bits that mean nothing.
					const spare = name === 'signature' && place === value.length - 4;
					if (!spare) expect(verdict.outcome).not.toBe('valid');
				},
			),
			{ numRuns: 150 },
		);
	});

	it('takes any text for a header without throwing', async () => {
		const text = fc.oneof(
			fc.string(),
			fc.string({ unit: 'binary' }),
			fc.constantFrom('sig1=("@authority")', 'sig1=:AA==:', '"'),
		);
		const url = fc.oneof(fc.webUrl(), fc.string());
		await fc.assert(
			fc.asyncProperty(text, text, text, url, async (signature, input, signatureAgent, target) => {
				const headers = { signature, 'signature-input': input, 'signature-agent': signatureAgent };
				const { outcome } = await verifier().verify(received({ method: 'GET', url: target, headers }));
				expect(['absent', 'invalid', 'unverifiable']).toContain(outcome);
			}),
		);
	});
});
