import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { recordingTerminal } from '../../testing/recorder.ts';
import { readNamedText } from './read-named.ts';

const text = 'http://münchen.test/\r\n';
const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le');

it.each([
	['UTF-8', Buffer.from(text)],
	['UTF-8 with a mark', Buffer.from(`\ufeff${text}`)],
	['UTF-16 as PowerShell writes it', utf16],
	['UTF-16, the high byte first', Buffer.from(utf16).swap16()],
])('reads %s, without the mark, from a file and from stdin', (_, bytes) => {
	const folder = mkdtempSync(join(tmpdir(), 'wayleave-text-'));
	writeFileSync(join(folder, 'list.txt'), bytes);
	const terminal = recordingTerminal(folder, {}, bytes);
	expect(readNamedText('list.txt', terminal)).toBe(text);
	expect(readNamedText('-', terminal)).toBe(text);
	rmSync(folder, { recursive: true });
});
