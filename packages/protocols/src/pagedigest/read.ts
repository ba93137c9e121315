import type { JsonCursor } from '../internal/json-cursor.ts';
import { excerpt, type TextProblems } from '../internal/text-problems.ts';
import { parseTimestamp } from '../internal/timestamp.ts';
import { coverageTest } from './coverage.ts';
import { hasTrackingQuery, isUrlKey } from './key.ts';
import type { PagedigestProblemCode } from './problems.ts';
import type { Coverage, Digest, Manifest, ManifestEntry } from './types.ts';

const digestForm = /^sha256:[0-9a-f]{64}$/;

/** Members that a later version may define, and that a version 1 publisher does not write (pagedigest §6). */
const reservedFields = new Set(['extract', 'extracts', 'shards']);

/** Reads the manifest under a cursor; what is wrong goes to `problems`, and reading goes on. */
export class ManifestReader {
	readonly #cursor: JsonCursor;
	readonly #problems: TextProblems<PagedigestProblemCode>;

	constructor(cursor: JsonCursor, problems: TextProblems<PagedigestProblemCode>) {
		this.#cursor = cursor;
		this.#problems = problems;
	}

	/** Undefined when a required member is missing or unreadable; `problems` then holds an error. */
	manifest(): Manifest | undefined {
		const cursor = this.#cursor;
		if (!this.#isObject('the manifest')) return undefined;
		const start = cursor.at;
		const read: { -readonly [Name in keyof Manifest]?: Manifest[Name] | undefined } = {};
		const names = this.#members((name) => {
			if (name === 'version') read.version = this.#version();
			else if (name === 'generated') read.generated = this.#timestamp(name);
			else if (name === 'site_rev') read.siteRev = this.#integer(name);
			else if (name === 'entries') read.entries = this.#entries();
			else if (name === 'coverage') read.coverage = this.#coverage();
			else this.#undefinedMember(name);
		});
		for (const field of ['version', 'generated', 'site_rev', 'entries']) {
			if (!names.has(field)) this.#problems.add('pagedigest-missing-field', start, { field });
		}
		const { version, generated, siteRev, entries, coverage } = read;
		if (version === undefined || generated === undefined || siteRev === undefined || !entries) return undefined;
		if (coverage !== undefined) this.#checkCovered(coverage, entries);
		return { version, generated, siteRev, entries, ...(coverage && { coverage }) };
	}

	/** Reads an object whose names must differ; returns them. */
	#members(onMember: (name: string) => void): ReadonlySet<string> {
		const names = new Set<string>();
		this.#cursor.object((name, at) => {
			if (names.has(name)) this.#problems.add('pagedigest-duplicate-key', at, { key: excerpt(name) });
			names.add(name);
			onMember(name);
		});
		return names;
	}

	#entries(): Map<string, ManifestEntry> {
		const entries = new Map<string, ManifestEntry>();
		if (!this.#isObject('entries')) return entries;
		this.#cursor.object((key, at) => {
			if (!isUrlKey(key)) this.#problems.add('pagedigest-invalid-key', at, { key: excerpt(key) });
			else if (hasTrackingQuery(key)) this.#problems.add('pagedigest-tracking-key', at, { key: excerpt(key) });
			const known = entries.size;
			entries.set(key, this.#entry());
			if (entries.size === known) this.#problems.add('pagedigest-duplicate-key', at, { key: excerpt(key) });
		});
		return entries;
	}

	/** Reads one entry; the commonest form, `rev` alone, without the bookkeeping that others need. */
	#entry(): ManifestEntry {
		const cursor = this.#cursor;
		if (!this.#isObject('an entry')) return unreadable;
		const start = cursor.at;
		let rev = -1;
		let revs = 0;
		let others: { digest?: Digest; modified?: string } | undefined;
		let names: Set<string> | undefined;
		cursor.object((name, at) => {
			if (name === 'rev') {
				rev = this.#integer(name);
				if (++revs > 1) this.#problems.add('pagedigest-duplicate-key', at, { key: name });
				return;
			}
			names ??= new Set();
			if (names.has(name)) this.#problems.add('pagedigest-duplicate-key', at, { key: excerpt(name) });
			names.add(name);
			others ??= {};
			if (name === 'digest') others.digest = this.#digest();
			else if (name === 'modified') others.modified = this.#timestamp(name);
			else this.#undefinedMember(name);
		});
		if (revs === 0) this.#problems.add('pagedigest-missing-field', start, { field: 'rev' });
		return others === undefined ? { rev } : { rev, ...others };
	}

	#coverage(): Coverage | undefined {
		const start = this.#place();
		let mode: unknown;
		let prefixes: string[] | undefined;
		if (!this.#isObject('coverage')) return undefined;
		this.#members((name) => {
			if (name === 'mode') mode = this.#cursor.scalar();
			else if (name === 'prefixes') prefixes = this.#prefixes();
			else this.#undefinedMember(name);
		});
		if (mode === 'complete') return { mode };
		if (mode === 'prefixes' && prefixes !== undefined) return { mode, prefixes };
		this.#problems.add('pagedigest-invalid-coverage', start);
		return undefined;
	}

	/** One or more strings that begin with `/`; undefined otherwise. */
	#prefixes(): string[] | undefined {
		if (!this.#cursor.isArray()) {
			this.#cursor.skip();
			return undefined;
		}
		const prefixes: string[] = [];
		let valid = true;
		this.#cursor.array(() => {
			const at = this.#place();
			const prefix = this.#cursor.scalar();
			if (typeof prefix !== 'string' || !prefix.startsWith('/')) valid = false;
			else {
				prefixes.push(prefix);
				if (!prefix.endsWith('/')) this.#problems.add('pagedigest-open-prefix', at, { prefix: excerpt(prefix) });
			}
		});
		return valid && prefixes.length > 0 ? prefixes : undefined;
	}

	/** An entry outside the declared prefixes contradicts the coverage; it counts all the same. */
	#checkCovered(coverage: Coverage, entries: ReadonlyMap<string, ManifestEntry>): void {
		const covers = coverageTest(coverage);
		for (const key of entries.keys()) {
			if (!covers(key)) this.#problems.add('pagedigest-uncovered-key', -1, { key: excerpt(key) });
		}
	}

	/** The offset of the next value. */
	#place(): number {
		this.#cursor.peek();
		return this.#cursor.at;
	}

	#isObject(field: string): boolean {
		if (this.#cursor.isObject()) return true;
		const { at } = this.#cursor;
		// First, since what is no JSON at all is not a wrong value either.
		this.#cursor.skip();
		this.#problems.add('pagedigest-not-an-object', at, { field });
		return false;
	}

	#version(): 1 | undefined {
		const at = this.#place();
		if (this.#cursor.naturalNumber() === 1) return 1;
		this.#problems.add('pagedigest-unsupported-version', at);
		return undefined;
	}

	/** An integer as it must be written, or -1 with a problem. */
	#integer(field: string): number {
		const at = this.#place();
		const value = this.#cursor.naturalNumber();
		if (value < 0) this.#problems.add('pagedigest-invalid-integer', at, { field });
		return value;
	}

	#digest(): Digest {
		const at = this.#place();
		const value = this.#cursor.scalar();
		if (typeof value === 'string' && digestForm.test(value)) return value as Digest;
		this.#problems.add('pagedigest-invalid-digest', at);
		return 'sha256:';
	}

	#timestamp(field: string): string {
		const at = this.#place();
		const value = this.#cursor.scalar();
		if (typeof value === 'string' && parseTimestamp(value)?.zone === 'utc') return value;
		this.#problems.add('pagedigest-invalid-timestamp', at, { field });
		return '';
	}

	#undefinedMember(field: string): void {
		if (reservedFields.has(field)) this.#problems.add('pagedigest-reserved-field', this.#place(), { field });
		this.#cursor.skip();
	}
}

const unreadable: ManifestEntry = { rev: -1 };
