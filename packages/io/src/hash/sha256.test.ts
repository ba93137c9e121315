import { expect, it } from 'vitest';
import { sha256 } from './sha256.ts';

it('sha256 gives the 32 bytes of FIPS 180-4', () => {
	const digest = sha256(new TextEncoder().encode('abc'));
	expect(Buffer.from(digest).toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
	expect(digest.constructor).toBe(Uint8Array);
});
