import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { explainSystemError, FileError, fileError, nearestWord } from './index.ts';

const caught = (work: () => unknown): unknown => {
	try {
		work();
	} catch (error) {
		return error;
	}
	return undefined;
};

describe('errors of the system', () => {
	const folder = mkdtempSync(join(tmpdir(), 'wayleave-messages-'));
	writeFileSync(join(folder, 'file'), '');
	symlinkSync('loop', join(folder, 'loop'));

	it.each([
		['missing', 'file-not-found', 'the file does not exist'],
		['.', 'file-is-folder', 'this is a folder, not a file'],
		['file/below', 'not-a-folder', 'part of the path is a file, not a folder'],
		['loop', 'file-not-readable', 'its symbolic links form a loop'],
		['x'.repeat(300), 'file-not-readable', 'the name is too long'],
		['\0', 'file-not-readable', 'the name contains a NUL character, which is not allowed in file names'],
	])('is a sentence about the file: %s', (name, code, sentence) => {
		const error = fileError(
			caught(() => readFileSync(`${folder}/${name}`)),
			'as-named',
			'read',
		);
		expect(error).toBeInstanceOf(FileError);
		expect(error).toMatchObject({ code, message: `as-named: ${sentence}`, file: 'as-named' });
	});

	it('says so where an address was named instead of a file', () => {
		const missing = (name: string) => new FileError('file-not-found', name, 'the file does not exist').message;
		expect(missing('--seeds https://a.test/x')).toContain('on this machine; to read what is at an address, download');
		expect(missing('C:\\x.html')).toBe('C:\\x.html: the file does not exist');
	});

	it('is a sentence for codes that no table has', () => {
		const error = Object.assign(new Error('EL2HLT: level 2 halted, open'), { code: 'ENOTRECOVERABLE', errno: -131 });
		const sentence = explainSystemError(error, 'read');
		expect(sentence).toBeDefined();
		expect(sentence).not.toMatch(/\bE[A-Z]{3,}/);
	});

	it('leaves errors of programs alone', () => {
		const error = new TypeError('x is not a function');
		expect(fileError(error, 'a', 'read')).toBe(error);
		expect(explainSystemError(Object.assign(new Error('x'), { code: 'ERR_TLS' }), 'connect')).toBeUndefined();
	});
});

describe('the nearest word', () => {
	it.each([
		['tarin', ['train', 'store'], 'train'],
		['polcy', ['policy', 'paths'], 'policy'],
		['trane', ['train', 'read'], 'train'],
		['depth', ['max-depth', 'scope', 'threads'], 'max-depth'],
		['maxPages', ['max-pages', 'max-depth'], 'max-pages'],
		['bot_url', ['botName', 'botUrl'], 'botUrl'],
		['GTPBot', ['GPTBot', 'ClaudeBot'], 'GPTBot'],
		['no', ['yes', 'ask'], undefined],
		['zzzzzz', ['train', 'store'], undefined],
		['', ['train'], undefined],
	])('of %s among %j', (written, known, meant) => {
		expect(nearestWord(written, known)).toBe(meant);
	});
});
