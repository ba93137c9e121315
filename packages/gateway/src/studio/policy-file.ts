import { createHash, randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { makePrivateFolder } from '@wayleave/io/files';
import { fileError } from '@wayleave/io/messages';
import { decodeUtf16 } from '@wayleave/protocols';

/** A policy file as it is on disk. */
export interface PolicyText {
	readonly text: string;
	/** Made of the text: the same text is the same revision. */
	readonly revision: string;
}

/** A version of the policy file that was on disk once. */
export interface KeptVersion {
	readonly id: string;
	/** When it was kept; milliseconds since 1970. */
	readonly at: number;
	/** What its author wrote about it. */
	readonly note: string;
	readonly revision: string;
}

export interface PolicyFileOptions {
	readonly path: string;
	/** As the operator named it: for messages. */
	readonly name: string;
	/** Folder of the versions that are kept; it is made with the first. */
	readonly history: string;
	readonly now?: () => number;
}

/** The file on disk is not the one that the author began with. */
export class PolicyConflict extends Error {
	readonly current: PolicyText;

	constructor(name: string, current: PolicyText) {
		super(
			`${name} has changed on disk since you opened it, so nothing was written: compare your text with the file, take over what you need, and publish again`,
		);
		this.name = 'PolicyConflict';
		this.current = current;
	}
}

/** Versions that are kept; the oldest are deleted. */
export const maxVersions = 200;
/** Characters of a note. */
export const maxNote = 500;

/** `20261201T051000123Z-0f3a9c1b2d4e`: sorts by time. */
const versionId = /^\d{8}T\d{9}Z-[\da-f]{12}$/;

export function revisionOf(text: string): string {
	return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/** The policy file of a gateway for people who edit it: read, replaced as a whole, and its earlier versions. */
export class PolicyFile {
	readonly name: string;
	readonly #path: string;
	readonly #history: string;
	readonly #now: () => number;
	#writing: Promise<unknown> = Promise.resolve();

	constructor({ path, name, history, now = Date.now }: PolicyFileOptions) {
		this.name = name;
		this.#path = path;
		this.#history = history;
		this.#now = now;
	}

	/** Why the file cannot be edited here, as a sentence. Undefined: it can. */
	readOnly(): string | undefined {
		if (/^\.[cm]?js$/.test(extname(this.#path)))
			return `${this.name} is a JavaScript module: edit it by hand, then send SIGHUP to the gateway`;
		try {
			const bytes = readFileSync(this.#path);
			if (decodeUtf16(bytes) !== undefined) return `${this.name} is in UTF-16: save it as UTF-8 to edit it here`;
			const target = realpathSync(this.#path);
			accessSync(target, constants.W_OK);
			// A new file takes the place of the old one, so its folder is written to.
			accessSync(dirname(target), constants.W_OK);
			return undefined;
		} catch (error) {
			const cause = fileError(error, this.name, 'write');
			return `${cause instanceof Error ? cause.message : String(cause)}: give the user of the gateway write access to the file and its folder to edit it here`;
		}
	}

	/** @throws FileError */
	read(): PolicyText {
		try {
			const bytes = readFileSync(this.#path);
			const text = decodeUtf16(bytes) ?? bytes.toString('utf8');
			return { text, revision: revisionOf(text) };
		} catch (error) {
			throw fileError(error, this.name, 'read');
		}
	}

	/** Earlier versions, the latest first. */
	versions(): readonly KeptVersion[] {
		return this.#ids().flatMap((id) => {
			const kept = this.#open(id);
			return kept === undefined ? [] : [{ id, at: kept.at, note: kept.note, revision: kept.revision }];
		});
	}

	/** The text of an earlier version. */
	textOf(id: string): string | undefined {
		return versionId.test(id) ? this.#open(id)?.text : undefined;
	}

	/**
	 * Replaces the file, whole or not at all, and keeps the version before it. One after the other.
	 *
	 * @param base the revision that the author began with.
	 * @throws PolicyConflict where the file on disk is another one, FileError
	 */
	write(text: string, base: string, note: string): Promise<PolicyText> {
		const written = this.#writing.then(() => this.#replace(text, base, note));
		this.#writing = written.catch(() => {});
		return written;
	}

	async #replace(text: string, base: string, note: string): Promise<PolicyText> {
		const before = this.read();
		if (before.revision !== base) throw new PolicyConflict(this.name, before);
		try {
			makePrivateFolder(this.#history);
			const [last] = this.#ids();
			// A version that was written by hand is in no history yet.
			if (last === undefined || !last.endsWith(before.revision))
				await this.#keep(
					before,
					statSync(this.#path).mtimeMs,
					last === undefined ? 'first version' : 'changed on disk',
				);
			await replaceFile(realpathSync(this.#path), text);
			const after = { text, revision: revisionOf(text) };
			await this.#keep(after, this.#now(), note);
			return after;
		} catch (error) {
			throw fileError(error, this.name, 'write');
		}
	}

	async #keep({ text, revision }: PolicyText, at: number, note: string): Promise<void> {
		const time = new Date(this.#after(at)).toISOString().replace(/[-:.]/g, '');
		const content = JSON.stringify({ at: Math.round(at), note: note.slice(0, maxNote), revision, text });
		await writeFile(join(this.#history, `${time}-${revision}.json`), content, { mode: 0o600 });
		for (const id of this.#ids().slice(maxVersions)) await rm(join(this.#history, `${id}.json`), { force: true });
	}

	/** A time after the last version's: two versions may come in one millisecond, and clocks are set back. */
	#after(at: number): number {
		const [last] = this.#ids();
		const kept = last === undefined ? undefined : timeOf(last);
		return kept === undefined || kept < at ? at : kept + 1;
	}

	/** The latest first. */
	#ids(): string[] {
		if (!existsSync(this.#history)) return [];
		const names = readdirSync(this.#history).filter((name) => name.endsWith('.json'));
		const ids = names.map((name) => basename(name, '.json')).filter((id) => versionId.test(id));
		return ids.sort().reverse();
	}

	#open(id: string): (Omit<KeptVersion, 'id'> & { readonly text: string }) | undefined {
		try {
			const kept = JSON.parse(readFileSync(join(this.#history, `${id}.json`), 'utf8'));
			const { at, note, text } = kept;
			if (typeof at !== 'number' || typeof note !== 'string' || typeof text !== 'string') return undefined;
			return { at, note, text, revision: revisionOf(text) };
		} catch {
			// Of a version that was being kept when the power failed, nothing is shown.
			return undefined;
		}
	}
}

/** When a version was kept, by its id. */
function timeOf(id: string): number | undefined {
	const [, year, month, day, hour, minute, second, rest] =
		/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z/.exec(id) ?? [];
	const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${rest}Z`);
	return Number.isNaN(time) ? undefined : time;
}

/**
 * Writes a new file beside the old one and renames it over: a reader, and a start after a crash, finds the old or the
 * new text. What an earlier crash left is removed.
 */
async function replaceFile(path: string, text: string): Promise<void> {
	const folder = dirname(path);
	const prefix = `.${basename(path)}.new-`;
	for (const name of readdirSync(folder)) if (name.startsWith(prefix)) await rm(join(folder, name), { force: true });
	const part = join(folder, prefix + randomBytes(6).toString('hex'));
	try {
		const file = await open(part, 'wx', statSync(path).mode & 0o777);
		try {
			await file.chmod(statSync(path).mode & 0o777);
			await file.writeFile(text);
			await file.sync();
		} finally {
			await file.close();
		}
		await rename(part, path);
	} catch (error) {
		await rm(part, { force: true });
		throw error;
	}
	await syncFolder(folder);
}

/** The rename itself survives a power failure. Windows opens no folders. */
async function syncFolder(folder: string): Promise<void> {
	try {
		const file = await open(folder, 'r');
		await file.sync().finally(() => file.close());
	} catch {
		// The file system does not offer it.
	}
}
