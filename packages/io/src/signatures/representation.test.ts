import { expect, it } from 'vitest';
import { formatKeyDirectory, generateSigningKey, loadSigningKey, parseKeyDirectory } from './keys.ts';
import { signRepresentation, verifyRepresentation } from './representation.ts';

const key = loadSigningKey(generateSigningKey());
const message = {
	status: 200,
	targetUri: 'https://example.com/v1/som?url=https%3A%2F%2Fexample.com%2Fa',
	body: new TextEncoder().encode('{"som_version":"0.1"}'),
};
const created = 1_700_000_000;
const headers = await signRepresentation(message, key, { created, expires: created + 300 });
const directory = parseKeyDirectory(formatKeyDirectory([key]));
const keyOf = async (id: string) => directory.get(id);

function check(
	change: Partial<typeof message> = {},
	fields: Record<string, string> = { ...headers },
	now = created + 10,
) {
	return verifyRepresentation({ ...message, ...change }, (name) => fields[name], keyOf, now);
}

it('SOM-29 a signed representation verifies with the published key', async () => {
	expect(await check()).toEqual({ outcome: 'valid', keyId: key.keyId });
});

it('SOM-29 one altered byte, another URL or another status does not', async () => {
	const altered = new TextEncoder().encode('{"som_version":"0.2"}');
	expect(await check({ body: altered })).toMatchObject({
		outcome: 'invalid',
		detail: expect.stringContaining('Content-Digest'),
	});
	expect((await check({ targetUri: 'https://example.com/v1/som?url=b' })).outcome).toBe('invalid');
	expect((await check({ status: 203 })).outcome).toBe('invalid');
});

it('a body and a digest that were both replaced do not verify', async () => {
	const body = new TextEncoder().encode('{"som_version":"0.9"}');
	const forged = await signRepresentation({ ...message, body }, loadSigningKey(generateSigningKey()), {
		created,
		expires: created + 300,
	});
	expect((await check({ body }, { ...headers, 'content-digest': forged['content-digest'] })).outcome).toBe('invalid');
	expect(await check({ body }, { ...forged })).toMatchObject({ detail: expect.stringContaining('has no key') });
});

it('an expired signature does not verify, an absent one is only absent', async () => {
	expect((await check({}, { ...headers }, created + 1000)).outcome).toBe('invalid');
	expect(await check({}, {})).toEqual({ outcome: 'absent' });
	expect(
		(await check({}, { signature: headers.signature, 'signature-input': headers['signature-input'] })).outcome,
	).toBe('invalid');
	expect((await check({}, { ...headers, 'content-digest': 'nonsense' })).outcome).toBe('invalid');
});

it('a directory gives keys by thumbprint and passes over what it does not know', () => {
	expect([...directory.keys()]).toEqual([key.keyId]);
	expect(parseKeyDirectory('{"keys":[{"kty":"RSA"},null,{"kty":"OKP","crv":"Ed25519","x":"short"}]}').size).toBe(0);
	expect(parseKeyDirectory('not json').size).toBe(0);
	expect(() => loadSigningKey('nonsense')).toThrow();
});
