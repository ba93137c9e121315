const named: Readonly<Record<string, string>> = {
	amp: '&',
	lt: '<',
	gt: '>',
	quot: '"',
	apos: "'",
	nbsp: ' ',
	ndash: '–',
	mdash: '—',
	hellip: '…',
	rsquo: '’',
	lsquo: '‘',
	rdquo: '”',
	ldquo: '“',
	eacute: 'é',
	copy: '©',
	reg: '®',
	trade: '™',
	middot: '·',
	bull: '•',
	laquo: '«',
	raquo: '»',
};

/** Text of metadata as a reader should see it: entities that were escaped twice decoded, tags gone, spaces collapsed. */
export function cleanText(source: string | undefined): string | undefined {
	if (source === undefined) return undefined;
	let text = source.slice(0, 20_000);
	if (text.includes('&'))
		text = text.replace(
			/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z]{2,8}));/g,
			(whole, decimal?: string, hex?: string, name?: string) =>
				name !== undefined
					? (named[name] ?? whole)
					: codePoint(Number.parseInt(decimal ?? hex!, decimal === undefined ? 16 : 10), whole),
		);
	if (text.includes('<')) text = text.replace(/<\/?[a-z][^<>]{0,500}>/gi, ' ');
	text = text.replace(/[\s\u00a0\u200b\ufeff]+/g, ' ').trim();
	return text === '' ? undefined : text;
}

function codePoint(code: number, whole: string): string {
	return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
}

/** Letters and digits only, in lower case and without accents: for comparing names. */
export function comparable(text: string): string {
	// Of ASCII alone there is less to know.
	if (!/[^\0-\x7f]/.test(text)) return text.toLowerCase().replace(/[^a-z\d]+/g, '');
	return text
		.normalize('NFKD')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]+/gu, '');
}
