import { filesOfStore, openToOthers } from '@wayleave/io';
import type { Terminal } from '../command.ts';

/**
 * Says which files of some stores other users of this machine may read: new ones are made for this user only, older ones
 * keep what their owner gave them.
 */
export function tellOpenFiles(stores: readonly string[], terminal: Pick<Terminal, 'note'>): void {
	const open = openToOthers(stores.flatMap(filesOfStore));
	if (open.length === 0) return;
	terminal.note(`other users of this machine may read ${open.join(', ')}: chmod 600 keeps them out\n`);
}
