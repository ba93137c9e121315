import { InvalidArgumentError, Option } from 'commander';

const units: Readonly<Record<string, number>> = { k: 1 << 10, m: 1 << 20, g: 1 << 30 };

/** Reads a size such as `256MiB` or `1G`, and gives bytes. */
function size(text: string): number {
	const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*([kmg]?)(?:i?b)?$/i.exec(text) ?? [];
	const bytes = Math.round(Number(number) * (units[unit.toLowerCase()] ?? 1));
	if (number === '' || bytes < 1024)
		throw new InvalidArgumentError('expected a size such as 256MiB or 1GiB, at least 1KiB.');
	return bytes;
}

export const rollOption = (): Option =>
	new Option('--roll <SIZE>', 'size of rolling files: 64MiB, 1GiB (default 256MiB)').argParser(size);
