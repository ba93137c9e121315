// Replaces a policy file again and again, until it is killed; a dot for each write that is done.
import { dirname, join } from 'node:path';
import { PolicyFile } from '../policy-file.ts';

const [, , path = ''] = process.argv;
const file = new PolicyFile({ path, name: 'policy', history: join(dirname(path), 'history') });
for (;;) {
	const { text, revision } = file.read();
	const line = text.startsWith('# old') ? '# new\n' : '# old\n';
	await file.write(line.repeat(100_000), revision, '');
	process.stdout.write('.');
}
