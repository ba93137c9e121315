import {
	formatKeyDirectory,
	parseKeyDirectory,
	RequestVerifier,
	type SigningKey,
	verifierOf,
} from '@wayleave/io/signatures';
import type { TestWeb } from './web.ts';

/** What the server has received, verified with the keys that the directory of the bot, `https://bot.test`, would give. */
export function verdictsOf({ log, port, url }: TestWeb, key: SigningKey, now: () => number = Date.now) {
	const keys = parseKeyDirectory(formatKeyDirectory([key]));
	const find = async (origin: string, id: string) =>
		origin === 'https://bot.test' && keys.has(id)
			? ({ result: 'found', verifier: verifierOf(keys.get(id)!) } as const)
			: ({ result: 'missing', detail: id } as const);
	const authorities = [...new Set(log.map(({ host }) => `${host}:${port}`))];
	const verifier = new RequestVerifier({
		directories: { find },
		authorities,
		now: () => Math.floor(now() / 1000),
	});
	return Promise.all(
		log.map(({ method, host, path, headers }) =>
			verifier.verify({ method, url: url(host, path), header: (name) => headers[name]?.toString() }),
		),
	);
}
