import { filesOfStore, openToOthers } from '@wayleave/io/files';
import type { Terminal } from '../../terminal/command.ts';

/**
 * Reports the files of some stores that other users of this machine may read: new files are private to this user, older
 * ones keep the mode that their owner gave them.
 */
export function tellOpenFiles(stores: readonly string[], terminal: Pick<Terminal, 'note'>): void {
	const open = openToOthers(stores.flatMap(filesOfStore));
	if (open.length === 0) return;
	terminal.note(`other users of this machine may read ${open.join(', ')}: chmod 600 keeps them out\n`);
}
