import type { Command, Option } from 'commander';
import { UsageError } from '../terminal/command.ts';

/** `s3://bucket/name`, `https://…`, `file:///…`; `C:\name` is a path. */
const address = /^([a-z][a-z0-9+.-]+):\/\//i;

/**
 * Refuses an address where a file or folder of this machine is expected: Node would write to a folder named `s3:` without
 * a word. `--out` of a command that can write to object storage decides about `s3://` itself.
 *
 * @throws UsageError
 */
export function refuseAddressesAsFiles(command: Command): void {
	for (const option of command.options) {
		const given: unknown = command.getOptionValue(option.attributeName());
		for (const value of Array.isArray(given) ? given : [given])
			if (typeof value === 'string') refuseAddress(option, value);
	}
}

function refuseAddress(option: Option, value: string): void {
	const expected = /<(FILE|DIR|FOLDER)>/.exec(option.flags)?.[1] ?? (option.long === '--out' ? 'FILE' : undefined);
	const scheme = address.exec(value)?.[1]?.toLowerCase();
	if (expected === undefined || scheme === undefined) return;
	const takesObjects = option.long === '--out' && !option.flags.includes('<FILE>');
	if (takesObjects && scheme === 's3') return;
	const what = expected === 'FILE' ? 'a file' : 'a folder';
	const others = takesObjects ? ', or s3://BUCKET/FOLDER/NAME' : '';
	throw new UsageError(
		`${option.long} ${value}: expected the path of ${what} on this machine${others}, not ${scheme}://`,
	);
}
