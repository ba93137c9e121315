// The few Web-standard globals that Node, browsers and edge runtimes all have.
// The pure packages see these and nothing else: no fetch, no timers, no clock, no process.

interface URLSearchParams {
	append(name: string, value: string): void;
	delete(name: string): void;
	get(name: string): string | null;
	getAll(name: string): string[];
	has(name: string): boolean;
	set(name: string, value: string): void;
	toString(): string;
	[Symbol.iterator](): IterableIterator<[string, string]>;
}
declare var URLSearchParams: { new (init?: string): URLSearchParams };

interface URL {
	hash: string;
	host: string;
	hostname: string;
	href: string;
	readonly origin: string;
	password: string;
	pathname: string;
	port: string;
	protocol: string;
	search: string;
	readonly searchParams: URLSearchParams;
	username: string;
	toString(): string;
}
declare var URL: { new (url: string | URL, base?: string | URL): URL; canParse(url: string, base?: string): boolean };

interface TextEncoder {
	encode(input?: string): Uint8Array<ArrayBuffer>;
}
declare var TextEncoder: { new (): TextEncoder };

interface TextDecoder {
	decode(input?: ArrayBufferView | ArrayBuffer): string;
}
declare var TextDecoder: { new (label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean }): TextDecoder };

/** @throws where the text is no base64 */
declare function atob(base64: string): string;
