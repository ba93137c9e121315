// Writes the manual page of the command, made of the same table as `--help`: tsx scripts/man.ts FILE
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { commandTree } from '../packages/wayleave/src/cli/command-tree.ts';
import { commands } from '../packages/wayleave/src/command-list.ts';
import { version } from '../packages/wayleave/src/terminal/version.ts';
import { manPage } from './man-page.ts';

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('which file? tsx scripts/man.ts FILE');
// Reproducible builds give the time, in seconds.
const seconds = Number(process.env.SOURCE_DATE_EPOCH) || Date.now() / 1000;
const date = new Date(seconds * 1000).toISOString().slice(0, 10);
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, manPage(await commandTree(commands), { version, date }));
