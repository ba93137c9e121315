import type { KnownAgent } from './known-agent.ts';
import { type Product, productsOf } from './products.ts';

/** A known agent that a header names. */
export interface NamedAgent {
	readonly agent: KnownAgent;
	readonly version?: string;
}

/** No token is longer: what a client writes is not cut in more places. */
const maxToken = 64;

interface Phrase {
	readonly words: readonly string[];
	readonly agent: KnownAgent;
}

/** Finds agents by name, at a cost that does not depend on how many there are. Upper and lower case are the same. */
export class AgentIndex {
	readonly #base: AgentIndex | undefined;
	/** By name where that is one word, and by token. */
	readonly #byWord = new Map<string, KnownAgent>();
	/** Agents with names of several words, by the first; the longest names come first. */
	readonly #byFirstWord = new Map<string, Phrase[]>();

	/**
	 * @param agents what a name stands for, before the same name in `base`; of two with one name the first counts.
	 */
	constructor(agents: readonly KnownAgent[], base?: AgentIndex) {
		this.#base = base;
		for (const agent of agents) {
			const words = wordsOf(agent.name ?? agent.token);
			const [first = ''] = words;
			if (words.length > 1) {
				const others = this.#byFirstWord.get(first) ?? [];
				others.push({ words, agent });
				this.#byFirstWord.set(
					first,
					others.sort((a, b) => b.words.length - a.words.length),
				);
			} else if (!this.#byWord.has(first)) this.#byWord.set(first, agent);
		}
	}

	/** The agent of exactly this name or, where its operator uses suffixes, of this name and a suffix. */
	find(name: string): KnownAgent | undefined {
		const words = wordsOf(name);
		return words.length === 1 ? this.#findWord(words[0] ?? '') : this.#findPhrase(words);
	}

	/** Every agent that a User-Agent names, in order: by whole words, nothing inside an address. A name proves nothing. */
	findIn(userAgent: string): NamedAgent[] {
		const products = productsOf(decodeUtf8(userAgent));
		const found: NamedAgent[] = [];
		for (let at = 0; at < products.length; at++) {
			const phrase = this.#phraseAt(products, at);
			if (phrase !== undefined) {
				const { version } = products[at + phrase.words.length - 1] ?? {};
				found.push({ agent: phrase.agent, ...(version !== undefined && { version }) });
				at += phrase.words.length - 1;
				continue;
			}
			const { name, version } = products[at] as Product;
			const agent = this.#findWord(name.toLowerCase());
			if (agent !== undefined) found.push({ agent, ...(version !== undefined && { version }) });
		}
		return found;
	}

	#findWord(word: string): KnownAgent | undefined {
		const exact = this.#exact(word);
		if (exact !== undefined) return exact;
		// The longest listed token that the operator lengthens so.
		for (let at = Math.min(word.length - 1, maxToken); at > 0; at--) {
			if (word[at] !== '-' && word[at] !== '_') continue;
			const start = word.slice(0, at);
			if (this.#isFamily(start)) return this.#exact(start);
		}
		return undefined;
	}

	#exact(word: string): KnownAgent | undefined {
		return this.#byWord.get(word) ?? (this.#base === undefined ? undefined : this.#base.#exact(word));
	}

	#isFamily(word: string): boolean {
		if (this.#byWord.get(word)?.family === true) return true;
		if (this.#base === undefined) return false;
		return this.#base.#isFamily(word);
	}

	#findPhrase(words: readonly string[]): KnownAgent | undefined {
		const products = words.map((name) => ({ name, follows: true }));
		const found = this.#phraseAt(products, 0);
		return found?.words.length === words.length ? found.agent : undefined;
	}

	/** The longest name of several words that begins here. */
	#phraseAt(products: readonly Product[], at: number): Phrase | undefined {
		const first = products[at]?.name.toLowerCase() ?? '';
		const own = this.#byFirstWord.get(first)?.find(({ words }) => matchesAt(words, products, at));
		const inherited = this.#base === undefined ? undefined : this.#base.#phraseAt(products, at);
		return own === undefined || (inherited?.words.length ?? 0) > own.words.length ? inherited : own;
	}
}

/** HTTP libraries return each byte of a field as one character; most clients write UTF-8. */
function decodeUtf8(field: string): string {
	if (!/[\x80-\xff]/.test(field) || /[\u0100-\uffff]/.test(field)) return field;
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(field, (byte) => byte.charCodeAt(0)));
	} catch {
		return field;
	}
}

/** Whether these words stand there one after the other, with nothing but blanks between. */
function matchesAt(words: readonly string[], products: readonly Product[], at: number): boolean {
	return words.every((word, index) => {
		const product = products[at + index];
		if (product?.name.toLowerCase() !== word || (index > 0 && !product.follows)) return false;
		return index === words.length - 1 || product.version === undefined;
	});
}

function wordsOf(name: string): string[] {
	return name
		.trim()
		.toLowerCase()
		.split(/[\s+]+/);
}
