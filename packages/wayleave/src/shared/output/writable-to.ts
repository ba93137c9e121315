import { Writable } from 'node:stream';

/** A stream whose text goes to a function, such as `terminal.out`. */
export const writableTo = (write: (text: string) => void): Writable =>
	new Writable({
		decodeStrings: false,
		write(chunk, _encoding, done) {
			write(String(chunk));
			done();
		},
	});
