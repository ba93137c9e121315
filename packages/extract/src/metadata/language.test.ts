import { expect, it } from 'vitest';
import { languageOf } from './language.ts';

it('a page that declares no language is in that of its sentences, not of the names in its menus', () => {
	const menu = 'Home\nSQL Syntax\nPragmas\nZig\nKonzole\nData Lake\n'.repeat(60);
	const sentence =
		'SQLite is a library that implements a small, fast, and reliable database engine, and it is built into all mobile phones.';
	expect(languageOf([undefined], () => `${menu}${sentence}\n${sentence}`)).toBe('en');
});

it('product names are in no language that few pages are in', () => {
	const names =
		'Fender Player II Strat RW BCG\nElectric Guitar\nBody: Alder\nBolt-on neck: Maple\nFingerboard: Rosewood';
	expect(['ber', 'tlh', 'rn', 'vo', 'eo']).not.toContain(languageOf([undefined], () => names));
});
