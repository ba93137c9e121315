import selfsigned from 'selfsigned';

let made: Promise<{ key: string; cert: string }> | undefined;

/** A key and a certificate that nobody trusts, the same for all tests of a file. */
export function selfSigned(): Promise<{ key: string; cert: string }> {
	made ??= selfsigned
		.generate([{ name: 'commonName', value: 'localhost' }])
		.then(({ private: key, cert }) => ({ key, cert }));
	return made;
}
