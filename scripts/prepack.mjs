// What a package takes along when it is packed: the licence, which has to go with every copy; the command also the README
// and the pages of docs/ that its help names.
import { cpSync } from 'node:fs';

const shared = process.env.npm_package_name === 'wayleave' ? ['LICENSE', 'README.md', 'docs'] : ['LICENSE'];
for (const name of shared) cpSync(new URL(`../${name}`, import.meta.url), name, { recursive: true });
