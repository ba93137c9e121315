const vocabulary = /^https?:\/\/(?:www\.)?schema\.org\/#?$/i;
const maxDepth = 20;

/**
 * JSON-LD with the plain names of schema.org, where its context gives that a prefix of its own:
 * `{"@context": {"s": "https://schema.org/"}, "@type": "s:Product"}`.
 */
export function withPlainNames(value: unknown): unknown {
	const prefixes = prefixesOf(value);
	return prefixes.size === 0 ? value : plain(value, prefixes, 0);
}

/** The prefixes that the contexts of the outermost nodes declare for schema.org; `schema` is plain already. */
function prefixesOf(value: unknown): Set<string> {
	const prefixes = new Set<string>();
	for (const node of listOf(value)) {
		if (!isObject(node)) continue;
		for (const context of listOf(node['@context'])) {
			if (!isObject(context)) continue;
			for (const [name, address] of Object.entries(context))
				if (typeof address === 'string' && !name.startsWith('@') && name !== 'schema' && vocabulary.test(address))
					prefixes.add(name);
		}
	}
	return prefixes;
}

function plain(value: unknown, prefixes: ReadonlySet<string>, depth: number): unknown {
	if (depth > maxDepth) return value;
	if (Array.isArray(value)) return value.map((entry) => plain(entry, prefixes, depth + 1));
	if (!isObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, member]) => {
			if (key === '@context') return [key, member];
			const own = key === '@type' ? typeNames(member, prefixes) : plain(member, prefixes, depth + 1);
			return [withoutPrefix(key, prefixes), own];
		}),
	);
}

const typeNames = (type: unknown, prefixes: ReadonlySet<string>): unknown =>
	Array.isArray(type)
		? type.map((name) => typeNames(name, prefixes))
		: typeof type === 'string'
			? withoutPrefix(type, prefixes)
			: type;

function withoutPrefix(name: string, prefixes: ReadonlySet<string>): string {
	const colon = name.indexOf(':');
	return colon > 0 && prefixes.has(name.slice(0, colon)) ? name.slice(colon + 1) : name;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
