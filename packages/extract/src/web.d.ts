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

/** As much of WebAssembly as `select/lanes.ts` uses. Some runtimes do not compile code at run time. */
declare namespace WebAssembly {
	class Module {
		constructor(bytes: Uint8Array<ArrayBuffer>);
	}
	class Memory {
		constructor(descriptor: { initial: number });
		readonly buffer: ArrayBuffer;
	}
	class Instance {
		constructor(module: Module, imports: Record<string, Record<string, Memory>>);
		readonly exports: Record<string, unknown>;
	}
}
