import { expect, it } from 'vitest';
import { ByteBuffer } from './byte-buffer.ts';

it('puts texts and bytes together, however long they are, and begins again in the same memory', () => {
	const buffer = new ByteBuffer();
	for (const length of [10, 300_000, 3]) {
		buffer.clear();
		buffer.text('ü…🎈'.repeat(length));
		buffer.bytes(Buffer.from('ä').toString('latin1'));
		buffer.text('!');
		expect(buffer.value.toString()).toBe(`${'ü…🎈'.repeat(length)}ä!`);
	}
});
