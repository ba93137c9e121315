// The one global of extract beside those of protocols/src/web.d.ts.

/** As much of WebAssembly as `select/model/lanes.ts` uses. Some runtimes do not compile code at run time. */
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

interface ImportMeta {
	readonly url: string;
}
