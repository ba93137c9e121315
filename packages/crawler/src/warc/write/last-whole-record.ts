import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { CrawlError } from '../../base/errors.ts';
import { readWarc } from '../read/read-warc.ts';

/**
 * End of the last whole record of an archive, after which the next may be written. 0 if there is no file. An
 * archive that is damaged elsewhere than at its end stays as it is.
 *
 * @throws CrawlError `sink-failed` for a file that is not an archive: overwriting it could lose data
 */
export async function lastWholeRecord(path: string): Promise<number> {
	const size = await stat(path).then(
		(found) => found.size,
		() => 0,
	);
	let cut: number | undefined;
	let records = 0;
	const wants = () => {
		records++;
		return false;
	};
	if (size > 0)
		for await (const item of readWarc(createReadStream(path), { wants }))
			if ('problem' in item && item.problem.code === 'warc-cut') cut = item.problem.offset;
	if (size > 0 && records === 0 && cut !== 0)
		throw new CrawlError(
			'sink-failed',
			`${path} exists but is not a web archive, and is not overwritten: choose another file`,
		);
	return cut ?? size;
}
