import { version } from '../../base/version.ts';
import type { RollingFormat } from '../../sinks/rolling/format.ts';
import { formatRecords } from './record.ts';
import { warcinfo } from './records.ts';
import { recordsOf } from './sink.ts';

/** Web archives: each begins with its own warcinfo record, and the records of the segments follow. */
export const warcFormat = (extension: '.warc' | '.warc.gz'): RollingFormat => {
	const compress = extension === '.warc.gz';
	return {
		extension,
		archive: true,
		segment: (results, exchanges) => formatRecords(recordsOf(results, exchanges), compress),
		async *file(segments, name) {
			yield await formatRecords([warcinfo(`wayleave/${version}`, name, Date.now())], compress);
			yield* segments;
		},
	};
};
