/** A small generator of numbers that gives the same ones every time (Lehmer). */
function numbers(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state * 48271) % 2147483647;
		return state;
	};
}

const words = 'shop cart search private account archive blog news static api tag user media print feed'.split(' ');

export interface Shape {
	readonly rules: number;
	/** Of 100 rules, how many hold a star. */
	readonly starred?: number;
	/** Of 100 rules, how many end with `$`. */
	readonly anchored?: number;
}

/** A robots.txt with one `*` group of many rules, shaped like those of large shops, and URLs to ask it about. */
export function largeRobots({ rules, starred = 20, anchored = 10 }: Shape): { text: string; urls: string[] } {
	const next = numbers(20260801);
	const word = () => words[next() % words.length]!;
	const lines = ['User-agent: *'];
	const paths: string[] = [];
	for (let at = 0; at < rules; at++) {
		const path = `/${word()}/${word()}-${at}/${word()}`;
		const kind = next() % 100;
		const pattern = kind < starred ? `/*/${word()}-${at}*${word()}=` : kind < starred + anchored ? `${path}$` : path;
		lines.push(`${at % 7 === 0 ? 'Allow' : 'Disallow'}: ${pattern}`);
		if (at % Math.ceil(rules / 100) === 0)
			paths.push(path, `${path}/page?sort=${word()}`, `/en/${word()}-${at}/x?${word()}=1`);
	}
	for (let at = 0; at < 100; at++) paths.push(`/${word()}/${word()}/${next()}.html`);
	return { text: `${lines.join('\n')}\n`, urls: paths.map((path) => `https://example.com${path}`) };
}
