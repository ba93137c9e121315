/** 64 bits of a text as 16 hexadecimal digits: two FNV-1a hashes with different starts, mixed. Not for secrets. */
export function digest(text: string): string {
	let a = 0x811c9dc5;
	let b = 0x9747b28c;
	for (let i = 0; i < text.length; i++) {
		const code = text.charCodeAt(i);
		a = Math.imul(a ^ code, 0x01000193);
		b = Math.imul(b ^ (code + i), 0x85ebca6b);
		b ^= b >>> 13;
	}
	return hex(mixed(a ^ (b >>> 16))) + hex(mixed(b ^ text.length));
}

/** The finalizer of MurmurHash3. */
function mixed(value: number): number {
	let x = value ^ (value >>> 16);
	x = Math.imul(x, 0x85ebca6b);
	x ^= x >>> 13;
	x = Math.imul(x, 0xc2b2ae35);
	return x ^ (x >>> 16);
}

const hex = (value: number): string => (value >>> 0).toString(16).padStart(8, '0');
