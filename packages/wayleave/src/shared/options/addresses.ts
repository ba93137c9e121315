import { UsageError } from '../../terminal/command.ts';

/** An address to listen at. */
export interface ListenAddress {
	readonly host: string;
	readonly port: number;
}

/** Reads `8080`, `127.0.0.1:8080`, `[::1]:8080` or `:8080`, which is all addresses. @throws UsageError */
export function readListenAddress(text: string, option: string): ListenAddress {
	const [, host, port] = /^(?:(\[[\da-f:.]+\]|[^:]*):)?(\d{1,5})$/i.exec(text.trim()) ?? [];
	if (port === undefined || Number(port) > 65_535) throw new UsageError(`${option} ${text}: write ADDRESS:PORT`);
	if (host === '') return { host: '::', port: Number(port) };
	return { host: (host ?? '127.0.0.1').replace(/^\[|\]$/g, ''), port: Number(port) };
}

/** As part of a URL. */
export function showAddress({ address, port }: { address: string; port: number }): string {
	return `${address.includes(':') ? `[${address}]` : address}:${port}`;
}
